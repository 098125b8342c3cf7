import type { IncomingHttpHeaders } from 'node:http';
import { Type } from 'typebox';
import { AppError, type ErrorCode } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import { type Psp, psps } from '../../domain/psps.ts';
import type { PspWebhookOutcome } from '../../recovery/intake/ingest-psp-webhook.ts';
import { defineEndpoint, type Endpoint } from '../endpoint/define-endpoint.ts';
import type { Exchange } from '../endpoint/exchange.ts';
import { type Answer, jsonAnswer } from '../server/answer.ts';
import { errorForLog } from '../server/error-for-log.ts';
import { RateLimiter } from '../server/rate-limiter.ts';
import type { DisputesDeps, WebhookResult } from './disputes-deps.ts';
import { errorAnswer } from './error-answer.ts';

/** Whose account a webhook is of, as its path names it. */
interface Account {
  readonly psp: Psp | undefined;
  readonly merchantId: string;
}

/**
 * POST /v1/psp/{psp}/webhooks/{merchant_id}: what a PSP tells of one merchant's account. Who it is from
 * is proved by the PSP's signature over the body's own bytes, whatever type they are said to be of.
 */
export function pspWebhook(deps: DisputesDeps): Endpoint<unknown> {
  const limiter = new RateLimiter(
    deps.bounds.webhooksPerMinute,
    deps.bounds.countTogether?.('webhooks'),
  );
  return defineEndpoint({
    method: 'POST',
    path: '/v1/psp/{psp}/webhooks/{merchant_id}',
    schema: { path: Type.Object({ psp: Type.String(), merchant_id: Type.String() }) },
    async answer({ path, exchange }) {
      const account = { psp: psps.find((psp) => psp === path.psp), merchantId: path.merchant_id };
      let isSigned = false;
      // Refusals are answers of ours to be counted, so they are not left to the server's handler.
      try {
        if (Number(exchange.request.headers['content-length']) > limits.pspWebhookBytes) {
          throw tooLarge();
        }
        const psp = await connectedPsp(deps, account);
        const outcome = await ingest(deps, {
          ...{ psp, merchantId: account.merchantId, exchange },
          // What anybody may send uses up nothing of the merchant's.
          onSigned: () => {
            isSigned = true;
            takeTurn(deps, limiter, account, exchange);
          },
        });
        deps.countWebhook(psp, outcome.kind);
        return acknowledgement(outcome.answer);
      } catch (error) {
        if (error instanceof AppError && error.code === 'caller_gone') throw error;
        return refuse(deps, { account, isSigned, requestId: exchange.request.id, error });
      }
    },
  });
}

/** Before the body is read: most of what strangers send ends here. */
async function connectedPsp(deps: DisputesDeps, { psp, merchantId }: Account): Promise<Psp> {
  const isConnected = psp !== undefined && (await deps.webhooks.isConnected({ merchantId, psp }));
  if (!isConnected) throw new AppError('psp_not_connected');
  return psp;
}

function takeTurn(
  deps: DisputesDeps,
  limiter: RateLimiter,
  { merchantId }: Account,
  { reply }: Exchange,
): void {
  const verdict = limiter.take(merchantId, deps.clock.now());
  if (verdict.isAllowed) return;
  reply.headers({ ratelimit: verdict.rateLimit, 'ratelimit-policy': verdict.policy });
  reply.header('retry-after', verdict.resetSeconds.toString());
  throw new AppError('too_many_requests');
}

async function ingest(
  deps: DisputesDeps,
  of: {
    readonly psp: Psp;
    readonly merchantId: string;
    readonly exchange: Exchange;
    readonly onSigned: () => void;
  },
): Promise<Extract<PspWebhookOutcome, { kind: 'read' }>> {
  const { psp, merchantId, exchange, onSigned } = of;
  const body = await exchange.readBody(limits.pspWebhookBytes);
  // It did not say its length: for an account that is not there it would not have been read.
  if (body.kind === 'too_large') throw new AppError('psp_webhook_malformed', tooLarge().detail);
  // Nobody waits for the answer to a request that was cut off.
  if (body.kind === 'cut_off') throw new AppError('psp_webhook_malformed');
  const headers = { ...exchange.request.raw.headers, 'content-type': exchange.contentType };
  const outcome = await deps.webhooks.ingest({
    merchantId,
    psp,
    onSigned,
    webhook: {
      rawBody: body.bytes,
      headers: singleHeaders(headers),
      receivedAt: deps.clock.now(),
    },
  });
  switch (outcome.kind) {
    case 'read':
      return outcome;
    case 'not_connected':
      throw new AppError('psp_not_connected');
    case 'unverified':
      throw new AppError('psp_webhook_unverified', outcome.reason);
    case 'malformed':
      throw new AppError('psp_webhook_malformed', outcome.reason);
    case 'unavailable':
      throw new AppError('psp_webhook_unavailable', outcome.reason);
  }
}

function tooLarge(): AppError {
  const detail = `A webhook may have at most ${limits.pspWebhookBytes} bytes.`;
  return new AppError('payload_too_large', detail);
}

/** The body that the PSP waits for, or the words that merchants' servers answer ours with. */
function acknowledgement(answer: string | undefined): Answer {
  if (answer === undefined) return jsonAnswer(200, { detail: 'Event delivered successfully.' });
  return { status: 200, body: answer, headers: { 'content-type': 'text/plain; charset=utf-8' } };
}

const results: Partial<Readonly<Record<ErrorCode, WebhookResult>>> = {
  psp_not_connected: 'not_connected',
  psp_webhook_unverified: 'unverified',
  psp_webhook_malformed: 'malformed',
  psp_webhook_unavailable: 'unavailable',
  payload_too_large: 'refused',
  too_many_requests: 'refused',
};

/** Counts and logs a refusal by ids alone: a body, a header or a signature never stands in a line. */
function refuse(
  deps: DisputesDeps,
  of: {
    readonly account: Account;
    readonly isSigned: boolean;
    readonly requestId: string;
    readonly error: unknown;
  },
): Answer {
  const { account, error } = of;
  const code = error instanceof AppError ? error.code : undefined;
  const result = (code && results[code]) ?? 'failed';
  const psp = account.psp ?? 'unknown';
  deps.countWebhook(psp, result);
  // What names no account is anybody's text: neither its PSP nor its merchant is ours to log.
  const named = result === 'not_connected' ? {} : { merchant_id: account.merchantId };
  const fields = { request_id: of.requestId, psp, ...named, result };
  if (result === 'failed') {
    deps.log.error({ ...fields, error: errorForLog(error) }, 'a webhook of a PSP failed');
  } else {
    // Why a signature is none is for the operator: its sender may be anybody.
    const isOfReading = result === 'unverified' || result === 'malformed';
    const reason = isOfReading && error instanceof AppError ? error.detail : undefined;
    deps.log.warn({ ...fields, ...present({ reason }) }, 'a webhook of a PSP was refused');
  }
  return errorAnswer(isNotOfAccount(result, of) ? new AppError('psp_webhook_unverified') : error);
}

/**
 * An account that is not there is answered as one for which the signature is wrong, so that nobody learns
 * which merchant is connected to which PSP. So is what could not be read before a signature was found in it:
 * only an account that is there reads.
 */
function isNotOfAccount(
  result: WebhookResult,
  { isSigned }: { readonly isSigned: boolean },
): boolean {
  const isUnread = result === 'malformed' && !isSigned;
  return isUnread || result === 'not_connected' || result === 'unverified';
}

/** One text for each name, in lower case as Node gives them. */
function singleHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
