/**
 * What the page asks of the engine, wherever it runs. A transport carries documents there and back:
 * to the server over HTTP, or to a WebAssembly module in a worker.
 */
import type {
  About, AnalyseDoc, AnalyseRequest, AnswerDoc, ApiError, Atlas, ChoiceDoc, Classes, Done, EvaluateDoc, EvaluateRequest, GoRequest, JobsList,
  JudgeDoc, JudgeRequest, NewJobs, PlayProgress, PlayRequest, PositionDoc, PositionSpec, ProofDoc, Puzzles, RecordDoc, ReviewDoc, ReviewFileRequest, ReviewProgress,
  ReviewRequest, SolveDoc,
  SolveProgress, SolveRequest, StandDoc, SteerRequest, TreeNews, VerifyDoc, VerifyProgress, VerifyRequest, WriteRequest,
} from "./schema";

export type Body = Uint8Array | object | null;

export interface Transport {
  /** Asks a question that is answered at once. */
  request(path: string, body: Body): Promise<Uint8Array>;
  /** Asks for a search; resolves with its answer. Aborting stops the search. */
  stream(path: string, body: Body, progress: (event: string, data: unknown) => void, signal: AbortSignal): Promise<unknown>;
}

/** The engine refused: what it said. */
export class Refused extends Error {
  readonly code: string;
  readonly field: string | null;
  constructor(error: Partial<ApiError>) {
    super(error.message ?? "the engine does not answer");
    this.code = error.code ?? "internal";
    this.field = error.field ?? null;
  }
}

/** Whether a search ended because it was asked to. */
export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";

export class Engine {
  constructor(private readonly transport: Transport) {}

  private async json<T>(path: string, body: Body = null): Promise<T> {
    return JSON.parse(new TextDecoder().decode(await this.transport.request(path, body))) as T;
  }

  private search<P, D>(path: string, body: Body, report: (p: P) => void, signal: AbortSignal): Promise<D> {
    const progress = (event: string, data: unknown) => event === "progress" && report(data as P);
    return this.transport.stream(path, body, progress, signal) as Promise<D>;
  }

  about = () => this.json<About>("about");
  classes = (game: string) => this.json<Classes>("classes", { game });
  position = (spec: PositionSpec) => this.json<PositionDoc>("position", spec);
  puzzles = () => this.json<Puzzles>("puzzles");
  atlas = () => this.json<Atlas>("atlas");
  readRecord = (file: Uint8Array) => this.json<RecordDoc>("record/read", file);
  writeRecord = (request: WriteRequest) => this.transport.request("record/write", request);
  certificate = (id: string) => this.transport.request(`proofs/${id}`, null);
  answer = (id: string, defences: readonly string[]) => this.json<AnswerDoc>(`proofs/${id}/answer`, { defences });

  play = (request: PlayRequest, report: (p: PlayProgress) => void, signal: AbortSignal) =>
    this.search<PlayProgress, ChoiceDoc>("play", request, report, signal);
  analyse = (request: AnalyseRequest, report: (p: PlayProgress) => void, signal: AbortSignal) =>
    this.search<PlayProgress, AnalyseDoc>("analyse", request, report, signal);
  evaluate = (request: EvaluateRequest, report: (p: StandDoc) => void, signal: AbortSignal) =>
    this.search<StandDoc, EvaluateDoc>("evaluate", request, report, signal);
  solve = (request: SolveRequest, report: (p: SolveProgress) => void, signal: AbortSignal) =>
    this.search<SolveProgress, SolveDoc>("solve", request, report, signal);
  verify = (request: VerifyRequest, report: (p: VerifyProgress) => void, signal: AbortSignal) =>
    this.search<VerifyProgress, VerifyDoc>("verify", request, report, signal);
  review = (request: ReviewRequest, report: (p: ReviewProgress) => void, signal: AbortSignal) =>
    this.search<ReviewProgress, ReviewDoc>("review", request, report, signal);
  reviewRecord = (request: ReviewFileRequest) => this.json<RecordDoc>("review/record", request);
  reviewPage = (request: ReviewFileRequest) => this.transport.request("review/page", request);
  judge = (request: JudgeRequest, signal: AbortSignal) =>
    this.search<never, JudgeDoc>("puzzles/judge", request, () => undefined, signal);
  jobs = () => this.json<JobsList>("jobs");
  startJobs = (request: NewJobs) => this.json<Done>("jobs", request);
  goJobs = (name: string, request: GoRequest) => this.json<Done>(`jobs/${name}/go`, request);
  stopJobs = (name: string) => this.json<Done>(`jobs/${name}/stop`, {});
  steerJobs = (name: string, order: SteerRequest) => this.json<Done>(`jobs/${name}/steer`, order);
  /** Tells what is new until it is stopped. */
  watchJobs = async (name: string, report: (news: TreeNews) => void, signal: AbortSignal): Promise<void> => {
    await this.transport.stream(`jobs/${name}/events`, null, (event, data) => event === "tree" && report(data as TreeNews), signal);
  };
  certifyJobs = (name: string, signal: AbortSignal) =>
    this.search<never, ProofDoc>(`jobs/${name}/certify`, {}, () => undefined, signal);

  check = (file: Uint8Array, report: (p: { replies: number }) => void, signal: AbortSignal) =>
    this.search<{ replies: number }, ProofDoc>("proofs", file, report, signal);
}
