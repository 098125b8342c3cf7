import type { Clock } from '../../domain/clock.ts';
import type { IdempotencyKeyOf, IdempotencyStore } from '../../recovery/idempotency.ts';
import type { Answer } from '../server/answer.ts';
import { errorForLog } from '../server/error-for-log.ts';
import type { HttpLog } from '../server/http-log.ts';

export interface RunOnceDeps {
  readonly idempotency: IdempotencyStore;
  readonly clock: Clock;
  readonly log: HttpLog;
}

/** The answers to a key that may not run again, in the words of one API. */
export interface KeyAnswers {
  readonly mismatch: Answer;
  readonly inFlight: Answer;
}

/** The header that marks an answer as the repetition of an earlier one. */
const replayedHeader = { 'idempotent-replayed': 'true' };

/**
 * Runs a request once per key. What was carried out or refused by the present state of things is
 * kept and replayed; a fault of the request itself (400) or of ours (500) is not, so that the same
 * key may be sent again with the body put right.
 */
export async function runOnce(
  deps: RunOnceDeps,
  key: IdempotencyKeyOf & { readonly fingerprint: Uint8Array },
  answers: KeyAnswers,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const begun = await deps.idempotency.begin({ ...key, at: deps.clock.now() });
  if (begun.kind === 'mismatch') return answers.mismatch;
  if (begun.kind === 'in_flight') return answers.inFlight;
  if (begun.kind === 'replay') {
    return { status: begun.status, body: begun.body, headers: replayedHeader };
  }
  let answer: Answer;
  try {
    answer = await run();
  } catch (error) {
    await settle(deps, () => deps.idempotency.abandon(key));
    throw error;
  }
  await settle(deps, () =>
    isKept(answer.status)
      ? deps.idempotency.complete({
          ...key,
          status: answer.status,
          body: answer.body,
          at: deps.clock.now(),
        })
      : deps.idempotency.abandon(key),
  );
  return answer;
}

function isKept(status: number): boolean {
  return status !== 400 && status < 500;
}

/**
 * The request has been carried out by now, so its answer stands even if the key cannot be settled:
 * the key's lease ends by itself, and a repetition then finds the first receipt.
 */
async function settle(deps: RunOnceDeps, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    deps.log.error({ error: errorForLog(error) }, 'an idempotency key was not settled');
  }
}
