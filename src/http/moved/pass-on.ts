import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'undici';
import { AppError } from '../../domain/errors.ts';
import type { FindAway } from '../../recovery/admin/away.ts';
import { type AnyCaller, type Exchange, hasBody, type Stage } from '../endpoint/exchange.ts';
import type { Answer } from '../server/answer.ts';
import { errorForLog } from '../server/error-for-log.ts';
import type { HttpLog } from '../server/http-log.ts';

/** What the calls of merchants that are in another cell need. */
export interface PassingOn {
  readonly findAway: FindAway;
  /** This cell's name; empty for a Recoup that is none. */
  readonly cell: string;
}

export interface PassOnDeps extends PassingOn {
  readonly api: 'recoveryUrl' | 'disputesUrl';
  /** The longest body that any endpoint of the API takes. */
  readonly bodyBytes: number;
  readonly tooLarge: Answer;
  readonly log: HttpLog;
}

/** The cells that a request came through: an address that leads back here is a mistake, not a way. */
const throughHeader = 'recoup-passed-on-by';
const answerWithinMs = 60_000;

/** Of one connection, and nobody's of another one. */
const hopByHop = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Passes a call on to the cell that the merchant has moved to, as it came, and its answer back; while the
 * merchant is on its way, callers are asked to come again.
 */
export function passOn<Sender extends AnyCaller>(
  deps: PassOnDeps | undefined,
  merchantOf: (exchange: Exchange<Sender>) => string | undefined = ({ caller }) =>
    caller?.merchantId,
): Stage<Sender> {
  if (deps === undefined) return (_, next) => next();
  const agent = new Agent({ headersTimeout: answerWithinMs, bodyTimeout: answerWithinMs });
  return async (exchange, next) => {
    const merchantId = merchantOf(exchange);
    const away = merchantId === undefined ? undefined : await deps.findAway(merchantId);
    if (away === undefined) return next();
    if (away.kind === 'closed') throw new AppError('merchant_moving');
    return send(deps, { agent, exchange, to: away[deps.api] });
  };
}

async function send(
  deps: PassOnDeps,
  of: { readonly agent: Agent; readonly exchange: Exchange; readonly to: string },
): Promise<Answer> {
  const { exchange } = of;
  const { raw } = exchange.request;
  const body = hasBody(exchange) ? await exchange.readBody(deps.bodyBytes) : undefined;
  if (body?.kind === 'too_large') return deps.tooLarge;
  const through = String(raw.headers[throughHeader] ?? '');
  if (through.split(' ').includes(nameOf(deps.cell))) return fail(deps, of, 'it came back');
  try {
    const answer = await request(`${of.to.replace(/\/$/, '')}${targetIn(raw.url)}`, {
      dispatcher: of.agent,
      method: raw.method as 'GET' | 'POST',
      headers: headersOf(deps, exchange, through),
      ...(body?.kind === 'whole' && { body: body.bytes }),
    });
    return {
      status: answer.statusCode,
      body: '',
      bytes: new Uint8Array(await answer.body.arrayBuffer()),
      headers: kept(answer.headers),
    };
  } catch (error) {
    return fail(deps, of, error);
  }
}

/** Nobody knows whether it arrived: who sends it again has an Idempotency-Key, or a PSP's patience. */
function fail(
  { log }: PassOnDeps,
  { exchange }: { readonly exchange: Exchange },
  error: unknown,
): never {
  const fields = { request_id: exchange.request.id, route: exchange.route };
  log.error({ ...fields, error: errorForLog(error) }, 'a call could not be passed on');
  throw new AppError('merchant_moving', undefined, { cause: error });
}

function headersOf(deps: PassOnDeps, exchange: Exchange, through: string): Record<string, string> {
  const { request: asked, contentType } = exchange;
  const { headers } = asked.raw;
  const from = [headers['x-forwarded-for'], asked.raw.socket.remoteAddress].flat();
  return {
    ...kept({ ...headers, 'content-type': contentType }),
    'x-forwarded-for': from.filter((address) => address !== undefined).join(', '),
    [throughHeader]: `${through} ${nameOf(deps.cell)}`.trim(),
  };
}

/**
 * The path and query of a request. Who sends may name a whole address (RFC 9112, 3.2.2), which the router leaves out:
 * behind the other cell's address it would make another host of that one.
 */
function targetIn(url = '/'): string {
  return url.replace(/^https?:\/\/[^/]*/i, '');
}

function nameOf(cell: string): string {
  return cell === '' ? '-' : cell;
}

function kept(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || hopByHop.has(name)
        ? []
        : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
