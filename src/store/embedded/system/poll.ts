import { setTimeout as delay } from 'node:timers/promises';

const stepMs = 5;

/**
 * Asks `probe` in short steps until it answers anything but undefined, for `withinMs` milliseconds
 * of the machine's own time: a process starts in real time whatever a sandbox's clock says.
 *
 * @returns the answer, or undefined when the time is over
 * @throws AbortError when `signal` is aborted
 */
export async function poll<T>(
  withinMs: number,
  probe: () => Promise<T | undefined>,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const timeLimit = AbortSignal.timeout(withinMs);
  for (;;) {
    const answer = await probe();
    if (answer !== undefined || timeLimit.aborted) return answer;
    await delay(stepMs, undefined, signal === undefined ? {} : { signal });
  }
}
