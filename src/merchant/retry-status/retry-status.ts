import type { Clock } from '../../domain/clock.ts';
import type { RetryStatusAnswer, RetryStatusRequest } from '../../recovery/merchant-ports.ts';
import { authHeaders } from '../merchant-credentials.ts';
import type { GuardedClient } from '../outbound/guarded-client.ts';
import { retryStatusAddress } from './retry-status-address.ts';
import { readRetryStatusAnswer, statusesWithBody } from './retry-status-answer.ts';

export interface RetryStatusDeps {
  readonly client: GuardedClient;
  readonly clock: Clock;
}

/** The final check: asks the merchant's server whether this invoice may be charged now. */
export async function askRetryStatus(
  deps: RetryStatusDeps,
  request: RetryStatusRequest,
): Promise<RetryStatusAnswer> {
  const { merchant, secrets, invoiceId, custom } = request;
  const url = retryStatusAddress(merchant.retryStatusUrl, invoiceId);
  if (url === undefined) {
    const detail = 'The invoice id cannot be used in an address.';
    return { kind: 'no_answer', cause: 'address_refused', detail };
  }
  const auth = authHeaders(secrets.auth);
  if (auth.kind === 'unsendable') return { kind: 'no_answer', ...auth.failure };
  const exchange = await deps.client.post({
    url,
    headers: { ...auth.headers, 'content-type': 'application/json', accept: 'application/json' },
    body: Buffer.from(JSON.stringify(custom === undefined ? {} : { custom })),
    bodyFor: statusesWithBody,
  });
  if (exchange.kind === 'failed') {
    return { kind: 'no_answer', cause: exchange.cause, detail: exchange.detail };
  }
  return readRetryStatusAnswer(exchange, secrets, deps.clock.now());
}
