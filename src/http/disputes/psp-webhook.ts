import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type ErrorCode } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { type Psp, psps } from '../../domain/psps.ts';
import type { PspWebhookOutcome } from '../../recovery/intake/take-in-psp-webhook.ts';
import { type Answer, jsonAnswer, sendAnswer } from '../server/answer.ts';
import { errorForLog } from '../server/error-for-log.ts';
import { RateLimiter } from '../server/rate-limiter.ts';
import type { RawBody } from '../server/read-body.ts';
import type { DisputesDeps, WebhookResult } from './disputes-deps.ts';
import { errorAnswer } from './error-answer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** A webhook's headers as they came; null before it has passed the door. */
    pspHeaders: Readonly<Record<string, string>> | null;
  }
}

interface WebhookRoute {
  readonly Params: { readonly psp: string; readonly merchant_id: string };
}
type WebhookRequest = FastifyRequest<WebhookRoute>;

const pspWebhookPath = '/v1/psp/:psp/webhooks/:merchant_id';

/**
 * POST /v1/psp/{psp}/webhooks/{merchant_id}: what a PSP tells of one merchant's account. Who it is from
 * is proved by the PSP's signature over the body's own bytes, whatever type they are said to be of.
 */
export function pspWebhook(server: FastifyInstance, deps: DisputesDeps): void {
  const limiter = new RateLimiter(deps.rateLimit.perMinute);
  server.decorateRequest('pspHeaders', null);
  server.post<WebhookRoute>(
    pspWebhookPath,
    {
      onRequest: async (request, reply) => {
        await requireAccount(deps, request);
        takeTurn(deps, limiter, request, reply);
        const { headers } = request.raw;
        request.pspHeaders = singleHeaders(headers);
        // The framework refuses a type that is none; here a body is bytes, whatever it is called.
        headers['content-type'] = 'application/octet-stream';
      },
      // Refusals are answers of ours to be counted, so they are not left to the server's handler.
      errorHandler: (error, request, reply) => {
        const refused = request as WebhookRequest;
        return sendAnswer(reply, refuse(deps, refused, error));
      },
    },
    async (request, reply) => {
      const outcome = await takeIn(deps, request);
      deps.countWebhook(knownPsp(request) ?? 'unknown', outcome.kind);
      return sendAnswer(reply, acknowledgement(outcome.answer));
    },
  );
}

/** Before the body is read: most of what strangers send ends here. */
async function requireAccount(deps: DisputesDeps, request: WebhookRequest): Promise<void> {
  const psp = knownPsp(request);
  const merchantId = request.params.merchant_id;
  // PostgreSQL keeps no NUL character: no merchant has one in its id.
  const isConnected =
    psp !== undefined &&
    !merchantId.includes('\0') &&
    (await deps.webhooks.isConnected({ merchantId, psp }));
  if (!isConnected) throw new AppError('psp_not_connected');
}

function takeTurn(
  deps: DisputesDeps,
  limiter: RateLimiter,
  request: WebhookRequest,
  reply: FastifyReply,
): void {
  const verdict = limiter.take(request.params.merchant_id, deps.clock.now());
  if (verdict.isAllowed) return;
  reply.header('retry-after', verdict.resetSeconds.toString());
  throw new AppError('too_many_requests');
}

async function takeIn(
  deps: DisputesDeps,
  request: WebhookRequest,
): Promise<Extract<PspWebhookOutcome, { kind: 'read' }>> {
  const psp = knownPsp(request);
  if (psp === undefined) throw new AppError('psp_not_connected');
  const body = (request.body as RawBody | undefined) ?? { kind: 'whole', bytes: Buffer.alloc(0) };
  if (body.kind === 'too_large') throw tooLarge();
  // Nobody waits for the answer to a request that was cut off.
  if (body.kind === 'cut_off') throw new AppError('psp_webhook_malformed');
  const outcome = await deps.webhooks.takeIn({
    merchantId: request.params.merchant_id,
    psp,
    webhook: {
      rawBody: body.bytes,
      headers: request.pspHeaders ?? {},
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
function refuse(deps: DisputesDeps, request: WebhookRequest, error: unknown): Answer {
  const code = error instanceof AppError ? error.code : undefined;
  const result = (code && results[code]) ?? 'failed';
  const psp = knownPsp(request) ?? 'unknown';
  deps.countWebhook(psp, result);
  // What names no account is anybody's text: neither its PSP nor its merchant is ours to log.
  const account = result === 'not_connected' ? {} : { merchant_id: request.params.merchant_id };
  const fields = { request_id: request.id, psp, ...account, result };
  if (result === 'failed') {
    deps.log.error({ ...fields, error: errorForLog(error) }, 'a webhook of a PSP failed');
  } else {
    deps.log.warn(fields, 'a webhook of a PSP was refused');
  }
  return errorAnswer(error);
}

function knownPsp(request: WebhookRequest): Psp | undefined {
  return psps.find((psp) => psp === request.params.psp);
}

/** One text for each name, in lower case as Node gives them. */
function singleHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
