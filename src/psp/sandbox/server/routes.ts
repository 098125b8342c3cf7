import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../../domain/clock.ts';
import { base32 } from '../../../domain/ids.ts';
import { limits } from '../../../domain/limits.ts';
import type { Random } from '../../../domain/random.ts';
import { type Answer, fault, type JsonAnswer, parsed, readBody } from './answers.ts';
import type { SandboxCharge } from './charge.ts';
import { type ChargeInput, isSameInput, readChargeInput } from './charge-input.ts';
import type { ChargeFilter, SandboxLedger } from './ledger.ts';
import { type Outcome, outcomeOf, type Verdict, verdictOf } from './outcomes.ts';
import { postRefund } from './post-refund.ts';
import type { SandboxRefunds } from './refunds.ts';

/** What the sandbox's API needs. `log` takes a pino logger. */
export interface SandboxDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly ledger: SandboxLedger;
  readonly refunds: SandboxRefunds;
  readonly apiKey: string;
  /**
   * Answers charges instead of what their payment method ids ask for, `earlier` the times of those of
   * the same invoice; undefined leaves a charge to its id.
   */
  readonly decide?: (
    charge: ChargeInput,
    at: Date,
    earlier: readonly Date[],
  ) => Verdict | undefined;
  readonly log?: SandboxLog;
}

export interface SandboxLog {
  error(fields: { readonly err: unknown }, message: string): void;
}

const chargesPath = '/v1/charges';
const filterNames: readonly string[] = ['merchant', 'invoice', 'idempotency_key'];

/** The answer to one request of the sandbox's API; undefined when its sender hung up before its end. */
export async function answerRequest(
  deps: SandboxDeps,
  request: IncomingMessage,
): Promise<Answer | undefined> {
  try {
    return await answerTo(deps, request);
  } catch (err) {
    if (request.destroyed && !request.complete) return undefined;
    deps.log?.error({ err }, 'The sandbox PSP could not answer.');
    return fault(500, 'api_error', 'The sandbox could not keep its ledger.');
  }
}

async function answerTo(deps: SandboxDeps, request: IncomingMessage): Promise<Answer> {
  const url = request.url ?? '/';
  const queryAt = url.indexOf('?');
  const path = queryAt === -1 ? url : url.slice(0, queryAt);
  if (!isAuthorised(request.headers.authorization, deps.apiKey)) {
    return fault(401, 'authentication_error', 'Send Authorization: Bearer and the API key.');
  }
  if (path === chargesPath && request.method === 'POST') return postCharge(deps, request);
  if (path === chargesPath && request.method === 'GET') {
    return listCharges(deps, new URLSearchParams(queryAt === -1 ? '' : url.slice(queryAt)));
  }
  const [, refunded] = /^\/v1\/charges\/([^/]+)\/refunds$/.exec(path) ?? [];
  if (refunded !== undefined && request.method === 'POST') {
    return postRefund(deps, request, refunded);
  }
  if (path.startsWith(`${chargesPath}/`) && request.method === 'GET') {
    return showCharge(deps, path.slice(chargesPath.length + 1));
  }
  return fault(404, 'invalid_request_error', 'No such method and path.');
}

function isAuthorised(header: string | undefined, apiKey: string): boolean {
  const given = Buffer.from(header ?? '');
  const wanted = Buffer.from(`Bearer ${apiKey}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function postCharge(deps: SandboxDeps, request: IncomingMessage): Promise<Answer> {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || key.length === 0 || key.length > limits.idLength) {
    const words = `Send an Idempotency-Key of 1 to ${limits.idLength} characters.`;
    return fault(400, 'invalid_request_error', words);
  }
  const text = await readBody(request);
  if (text === undefined) {
    const words = `The body is larger than ${limits.requestBodyBytes} bytes.`;
    return { ...fault(413, 'invalid_request_error', words), headers: { connection: 'close' } };
  }
  const body = parsed(text);
  if (body === undefined) return fault(400, 'invalid_request_error', 'The body is not JSON.');
  const read = readChargeInput(body.value);
  if (!('input' in read)) {
    return fault(400, 'invalid_request_error', read.message, { param: read.param });
  }
  const earlier = deps.ledger.byKey(read.input.merchant, key);
  return earlier === undefined
    ? makeCharge(deps, key, read.input)
    : repeatAnswer(deps, earlier, read.input);
}

function repeatAnswer(deps: SandboxDeps, earlier: SandboxCharge, input: ChargeInput): Answer {
  if (!isSameInput(earlier, input)) {
    const words = 'This Idempotency-Key was used with other parameters.';
    return fault(422, 'idempotency_error', words);
  }
  if (deps.ledger.isInFlight(earlier)) {
    return fault(409, 'idempotency_error', 'A charge with this Idempotency-Key is under way.');
  }
  return { ...chargeAnswer(earlier), headers: { 'idempotent-replayed': 'true' } };
}

/** No await before the ledger has the charge: two requests with one key cannot both get here. */
async function makeCharge(deps: SandboxDeps, key: string, input: ChargeInput): Promise<Answer> {
  const outcome = outcomeIn(deps, input);
  if (outcome.kind === 'unavailable') {
    const words = 'The sandbox is pretending to be down. Nothing was made.';
    return { ...fault(503, 'unavailable', words), headers: { 'retry-after': '60' } };
  }
  if (outcome.kind === 'not_found') {
    const words = 'The sandbox is pretending to have no such payment method. Nothing was made.';
    return fault(400, 'invalid_request_error', words, { param: 'payment_method' });
  }
  if (outcome.kind === 'lost_before') return { kind: 'lost' };
  const tries = deps.ledger.triesOf(input.merchant, input.invoice);
  const charge = newCharge(deps, key, input, verdictOf(outcome, tries, deps.clock.now()));
  const json = await deps.ledger.add(charge);
  if (outcome.kind === 'decided' && outcome.answerLost) return { kind: 'lost' };
  return chargeAnswer(charge, json);
}

function outcomeIn({ decide, clock, ledger }: SandboxDeps, input: ChargeInput): Outcome {
  const earlier = ledger.triedAt(input.merchant, input.invoice);
  const verdict = decide?.(input, clock.now(), earlier);
  if (verdict === undefined) return outcomeOf(input.payment_method);
  return { kind: 'decided', verdict, answerLost: false };
}

function newCharge(
  deps: SandboxDeps,
  key: string,
  input: ChargeInput,
  verdict: Verdict,
): SandboxCharge {
  const bytes = deps.random.bytes(30);
  return {
    id: `ch_sandbox_${base32(bytes.subarray(0, 15))}`,
    status: verdict.error === undefined ? 'succeeded' : 'declined',
    created_at: deps.clock.now().toISOString(),
    idempotency_key: key,
    ...input,
    network: verdict.network,
    // Fifteen digits, as Visa's transaction ids have.
    network_transaction_id: Array.from(bytes.subarray(15), (byte) => byte % 10).join(''),
    error: verdict.error,
  };
}

function chargeAnswer(charge: SandboxCharge, json = JSON.stringify(charge)): JsonAnswer {
  return { kind: 'json', status: charge.status === 'succeeded' ? 200 : 402, text: json };
}

async function showCharge(deps: SandboxDeps, id: string): Promise<Answer> {
  const charge = deps.ledger.byId(id);
  if (charge === undefined) return fault(404, 'invalid_request_error', 'No such charge.');
  await deps.ledger.settled();
  return { kind: 'json', status: 200, text: JSON.stringify(shown(deps, charge)) };
}

async function listCharges(deps: SandboxDeps, query: URLSearchParams): Promise<Answer> {
  const { limit: limitText, cursor, ...filter } = Object.fromEntries(query);
  const unknown = Object.keys(filter).find((name) => !filterNames.includes(name));
  if (unknown !== undefined) {
    const words = `There is no filter ${unknown}; there are ${filterNames.join(', ')}.`;
    return fault(400, 'invalid_request_error', words);
  }
  const limit = Number(limitText ?? limits.pageDefault);
  if (!Number.isInteger(limit) || limit < 1 || limit > limits.maxPageSize) {
    return fault(400, 'invalid_request_error', `limit must be 1 to ${limits.maxPageSize}.`);
  }
  if (cursor !== undefined && deps.ledger.byId(cursor) === undefined) {
    return fault(400, 'invalid_request_error', 'cursor must be the next_cursor of a page.');
  }
  const page = await readPage(deps.ledger, filter, limit, cursor);
  const next = page.hasMore ? { next_cursor: page.charges.at(-1)?.id } : {};
  const data = page.charges.map((charge) => shown(deps, charge));
  const text = JSON.stringify({ data, has_more: page.hasMore, ...next });
  return { kind: 'json', status: 200, text };
}

/** A charge with what was given back of it, where that is anything. */
function shown({ refunds }: SandboxDeps, charge: SandboxCharge) {
  const refunded = refunds.refundedOf(charge.id);
  return refunded === 0 ? charge : { ...charge, amount_refunded: refunded };
}

/**
 * Who asks for a charge and finds nothing may take that for certain, so what has already reached
 * this machine is read first: each turn of the event loop accepts and reads what is waiting.
 */
async function readPage(
  ledger: SandboxLedger,
  filter: ChargeFilter,
  limit: number,
  cursor: string | undefined,
) {
  let page = ledger.list(filter, limit, cursor);
  for (let turn = 0; turn < 3 && page.charges.length === 0; turn += 1) {
    await new Promise(setImmediate);
    page = ledger.list(filter, limit, cursor);
  }
  await ledger.settled();
  return page;
}
