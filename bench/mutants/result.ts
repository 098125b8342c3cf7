/** What became of the mutants of one part of the sources. */
export interface MutantsResult {
  readonly name: string;
  /** All that there are, of which `planted` were drawn. */
  readonly all: number;
  readonly planted: number;
  readonly killedByTests: number;
  /** Of these: a run that took too long, as one with an endless loop does, or any on a busy machine. */
  readonly timedOut: number;
  /** No test failed, but the sources do not compile with it. */
  readonly killedByCompiler: number;
  readonly survivors: readonly Survivor[];
}

export interface Survivor {
  /** The file with its line. */
  readonly at: string;
  readonly original: string;
  readonly replacement: string;
  /** Whether no test came by at all. */
  readonly isUncovered: boolean;
}
