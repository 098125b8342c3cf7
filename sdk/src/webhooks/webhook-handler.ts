import { detailAnswer, type FetchHandler, readBody } from '../fetch-handler.ts';
import { type MerchantAuth, refusal, requireCredentials } from '../merchant-auth.ts';
import { requireText } from '../require-text.ts';
import { createDeduplicate, createMemoryStore, type DeduplicationStore } from './deduplicate.ts';
import { verifyWebhook } from './verify-webhook.ts';
import { WebhookError } from './webhook-error.ts';
import type { WebhookEvent } from './webhook-event.ts';

export interface WebhookHandlerOptions {
  /** The signing secret, all that are valid, or what looks them up at each webhook. */
  readonly secrets: string | readonly string[] | (() => Secrets | Promise<Secrets>);
  /**
   * Your work. It is acknowledged once this has finished, so keep it short: store the event, and do
   * what takes time later. What it throws is answered 500, and the event comes again.
   */
  readonly onEvent: (event: WebhookEvent) => void | Promise<void>;
  /** Where the ids of handled events are kept. Default: the last 10,000, in memory. */
  readonly store?: DeduplicationStore;
  /** Your own credentials, when the service sends them too. Default: none. */
  readonly auth?: MerchantAuth;
  /** Told of each webhook that was refused (WebhookError) or whose handling failed. */
  readonly onError?: (error: unknown) => void;
  /** The present in milliseconds since 1970. Default: this machine's clock. */
  readonly nowMs?: () => number;
  /** Default: 1 MiB. */
  readonly maxBytes?: number;
}

type Secrets = string | readonly string[];

const maxBytes = 1_048_576;

/**
 * Serves the address of your webhooks: verifies, drops duplicates, runs your work, then answers 200.
 * 401 where the signature or the credentials are not right, 405 for other methods than POST, 413 for
 * a body that is too large, 500 where your work failed; the service sends the event again after all
 * of them. Throws TypeError at once where a secret or credentials are missing.
 */
export function webhookHandler(options: WebhookHandlerOptions): FetchHandler {
  if (typeof options.secrets !== 'function') requireText('secrets', options.secrets);
  requireCredentials(options.auth ?? { type: 'none' });
  const deduplicate = createDeduplicate(options.store ?? createMemoryStore());
  return async (request) => {
    if (request.method !== 'POST') return detailAnswer(405, 'Use POST', { allow: 'POST' });
    try {
      const refused = await refusal(request, options.auth ?? { type: 'none' });
      if (refused !== undefined) return detailAnswer(401, 'Missing or invalid api key', refused);
      const body = await readBody(request, options.maxBytes ?? maxBytes);
      if (body === undefined) return detailAnswer(413, 'The body is too large');
      const event = await verify(body, request.headers, options);
      await deduplicate(event.id, () => options.onEvent(event));
      return detailAnswer(200, 'Event delivered successfully');
    } catch (error) {
      options.onError?.(error);
      return answerOf(error);
    }
  };
}

async function verify(body: Uint8Array, headers: Headers, options: WebhookHandlerOptions) {
  const { secrets, nowMs } = options;
  return verifyWebhook(body, headers, typeof secrets === 'function' ? await secrets() : secrets, {
    nowMs: (nowMs ?? Date.now)(),
  });
}

/** A webhook that is not genuine is the sender's fault; a missing secret or failed work is ours. */
function answerOf(error: unknown): Response {
  return error instanceof WebhookError && error.reason !== 'no_secret'
    ? detailAnswer(401, error.message)
    : detailAnswer(500, 'Server is unavailable');
}
