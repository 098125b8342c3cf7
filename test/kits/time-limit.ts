/**
 * How long a test may take: four times as long on a server that is there already, which may be a cluster whose
 * statements cross the network (`TEST_DATABASE_URL`).
 */
export function timeLimitMs(onOwnServerMs: number): number {
  return (process.env['TEST_DATABASE_URL'] ?? '') === '' ? onOwnServerMs : 4 * onOwnServerMs;
}

/**
 * For tests of whole services: they take seconds; beside others, on a busy machine, many times as long. What
 * hangs ends sooner: each wait for a line, an answer or an end has a limit of its own.
 */
export const serviceTestWithinMs = 480_000;
