/** The tree of a record. A screen reader gets the variations as buttons beside it. */
import { useMemo } from "preact/hooks";
import { type Doc, node, viewAt } from "../model/document";
import { TreeCanvas, layOut } from "./TreeCanvas";

export function Tree({ doc, onGo }: { doc: Doc; onGo: (id: number) => void }) {
  const items = useMemo(() => {
    // Whose stones a node has: the side changes with every move, not with every node.
    const black = new Map<number, boolean>();
    const begins = viewAt(doc, 0).toMove === "black";
    return layOut(node(doc, 0), (n) => n.children, (id) => doc.nodes.get(id), (n) => {
      const before = n.parent === null ? !begins : (black.get(n.parent) ?? false);
      black.set(n.id, n.move ? !before : before);
      return {
        fill: n.move ? (black.get(n.id) ? "--stone-black" : "--stone-white") : "--line",
        small: !n.move,
        dot: n.comment !== "" || n.marks.length > 0 ? "--accent" : null,
      };
    });
  }, [doc.nodes]);
  return (
    <TreeCanvas
      items={items} at={doc.at} onGo={onGo}
      label={`Tree of ${items.length - 1} moves. Use the arrow keys to walk it.`}
    />
  );
}
