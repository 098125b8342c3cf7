/** A bug in a statement: a part of its text by another, wherever it stands, and the tests that have to see it. */
export interface SqlMutant {
  readonly statement: string;
  readonly part: string;
  readonly by: string;
  readonly tests: readonly string[];
}

/** The mutants of one statement, all of which the same tests have to see. */
export function mutantsOf(
  statement: string,
  tests: readonly string[],
  parts: Readonly<Record<string, string>>,
): readonly SqlMutant[] {
  return Object.entries(parts).map(([part, by]) => ({ statement, part, by, tests }));
}
