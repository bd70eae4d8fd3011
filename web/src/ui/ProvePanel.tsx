import { browsing } from "../model/browsing";
import { ProofBrowser } from "./ProofBrowser";
import { Prover } from "./Prover";

export function ProvePanel() {
  return browsing.value ? <ProofBrowser /> : <Prover />;
}
