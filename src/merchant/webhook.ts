import type { Clock } from '../domain/clock.ts';
import { present } from '../domain/present.ts';
import type { WebhookRequest, WebhookResult } from '../recovery/merchant-ports.ts';
import { answerExcerpt } from './answer-excerpt.ts';
import { authHeaders } from './merchant-credentials.ts';
import type { GuardedClient } from './outbound/guarded-client.ts';
import { signedHeaders } from './signed-headers.ts';
import { statusFailure } from './status-failure.ts';

const acknowledged = 200;

export interface WebhookDeps {
  readonly client: GuardedClient;
  /** How long a signature is valid from the moment of sending, in whole seconds. */
  readonly signatureValidityMs: number;
  /** The real time, also where the service's clock was moved. */
  readonly machine: Clock;
}

/**
 * Sends one event, signed afresh. Status 200 alone acknowledges it; the body of the answer is not
 * read for meaning, and the beginning of any other is kept for people.
 */
export async function sendWebhook(
  deps: WebhookDeps,
  request: WebhookRequest,
): Promise<WebhookResult> {
  const auth = authHeaders(request.secrets.auth);
  if (auth.kind === 'unsendable') return { kind: 'failed', ...auth.failure, durationMs: 0 };
  const body = Buffer.from(request.body, 'utf8');
  const exchange = await deps.client.post({
    url: request.url,
    headers: {
      ...request.headers,
      ...auth.headers,
      'content-type': 'application/json',
      ...signedHeaders({
        eventId: request.eventId,
        type: request.type,
        body,
        secrets: request.secrets.signingSecrets,
        sentAt: request.sentAt,
        realAt: deps.machine.now(),
        validityMs: deps.signatureValidityMs,
      }),
    },
    body,
    bodyFor: [],
    excerptUnless: acknowledged,
  });
  if (exchange.kind === 'failed') return exchange;
  const { status, durationMs } = exchange;
  if (status === acknowledged) return { kind: 'delivered', status, durationMs };
  const answer = answerExcerpt(exchange, request);
  return { kind: 'failed', status, ...statusFailure(status), durationMs, ...present({ answer }) };
}
