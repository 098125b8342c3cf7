import { request } from 'undici';
import { secondMs } from '../../../domain/clock.ts';
import { deduplicationId, signWebhook } from '../../../merchant/signature.ts';
import { standardWebhookHeaders } from '../../../merchant/standard-webhooks.ts';

const validitySeconds = 300;
const timeoutMs = 30 * secondMs;

/**
 * Sends an event to a developer's own address with the headers of a real webhook, but for the
 * merchant's credentials. Gives the status of the answer, or why there was none; never rejects.
 */
export async function forwardWebhook(
  to: { readonly url: string; readonly secret: string; readonly sentAt: Date },
  event: { readonly event_id: string; readonly type: string; readonly payload: string },
): Promise<string> {
  const { url, secret } = to;
  const sentAtUnix = Math.floor(to.sentAt.getTime() / secondMs);
  const expiresAtUnix = sentAtUnix + validitySeconds;
  const body = event.payload;
  try {
    const { statusCode, body: answer } = await request(url, {
      method: 'POST',
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      headers: {
        'content-type': 'application/json',
        'X-Service-Webhook-Type': event.type,
        'X-Service-Webhook-Expiration': expiresAtUnix.toString(),
        'X-Service-Webhook-Signature': signWebhook({ secret, body, expiresAtUnix }),
        'X-Service-Webhook-Deduplication-ID': deduplicationId(event.event_id),
        ...standardWebhookHeaders({ eventId: event.event_id, sentAtUnix, body, secrets: [secret] }),
      },
      body,
    });
    await answer.dump();
    return statusCode.toString();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
    return `no answer (${code})`;
  }
}
