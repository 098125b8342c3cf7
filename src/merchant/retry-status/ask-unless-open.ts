import { secondMs } from '../../domain/clock.ts';
import type {
  NoAnswerCause,
  RetryStatusAnswer,
  RetryStatusRequest,
} from '../../recovery/merchant-ports.ts';
import type { Breaker } from '../breaker.ts';
import { askRetryStatus, type RetryStatusDeps } from './retry-status.ts';

/** How a server ends a call that it does not answer. What it answers, however wrong, is an answer. */
const silences: ReadonlySet<NoAnswerCause> = new Set(['timeout', 'connection_failed']);

/**
 * The final check, unless the merchant's server gave no answer to the last ones: then it counts as unanswered
 * without being asked, until one call has found that it answers again.
 */
export async function askUnlessOpen(
  deps: RetryStatusDeps & { readonly breaker: Breaker },
  request: RetryStatusRequest,
): Promise<RetryStatusAnswer> {
  const { merchantId, retryStatusUrl } = request.merchant;
  const server = `${merchantId} ${retryStatusUrl}`;
  const admission = await deps.breaker.admit(server);
  if (admission.kind === 'open') {
    const seconds = Math.ceil(admission.leftMs / secondMs);
    const detail = `The server did not answer the last calls; it is called again in ${seconds} s.`;
    return { kind: 'no_answer', cause: 'timeout', detail };
  }
  let isSilent = true;
  try {
    const answer = await askRetryStatus(deps, request);
    isSilent = answer.kind === 'no_answer' && silences.has(answer.cause);
    return answer;
  } finally {
    deps.breaker.ended(server, !isSilent);
  }
}
