import type { IncomingHttpHeaders } from 'node:http';
import { holdsCardNumber } from '../../domain/cards/card-numbers.ts';
import { invariant } from '../../domain/errors.ts';
import { cardNumberFault, type Fault } from '../../domain/json/fault.ts';
import { limits } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import { hasBody, type Stage } from '../endpoint/exchange.ts';
import {
  idempotencyKeyText,
  type KeyHeader,
  readIdempotencyKey,
} from '../idempotency/idempotency-key.ts';
import { fingerprintOf, receiptUuid } from '../idempotency/receipt-uuid.ts';
import { type RunOnceDeps, runOnce } from '../idempotency/run-once.ts';
import type { RawBody } from '../server/read-body.ts';
import { bodyTooLarge, invalidRequest, keyAnswers, transportAnswers } from './answers.ts';
import type { Caller } from './caller.ts';

const noBody: RawBody = { kind: 'whole', bytes: Buffer.alloc(0) };

/** The stage of POSTs that checks their headers, and runs each Idempotency-Key once. */
export function runUnderKey(deps: RunOnceDeps): Stage<Caller> {
  return async (exchange, next) => {
    const { request, route, caller, endpoint } = exchange;
    if (request.method === 'GET') return next();
    invariant(caller !== undefined, 'keys belong to callers, who are known by now');
    const body = hasBody(exchange) ? await exchange.readBody(limits.requestBodyBytes) : noBody;
    if (body.kind === 'cut_off') return transportAnswers.malformed;
    const header = readIdempotencyKey(request.raw.headers['idempotency-key']);
    const faults = headerFaults(request.raw.headers, header, body);
    if (faults.length > 0 || body.kind === 'too_large') return invalidRequest(faults);
    if (header.kind !== 'key') return next();
    const fingerprint = fingerprintOf(request.raw.url ?? '', body.bytes);
    const { merchantId } = caller;
    const isSecret = endpoint.answersSecret;
    const key = { merchantId, route, key: header.key, fingerprint, ...present({ isSecret }) };
    return runOnce(deps, key, keyAnswers, () => {
      exchange.receiptUuid = receiptUuid(key, fingerprint);
      return next();
    });
  };
}

function headerFaults(
  headers: IncomingHttpHeaders,
  key: KeyHeader,
  body: RawBody,
): readonly Fault[] {
  const faults: Fault[] = [];
  const name = 'Idempotency-Key';
  if (key.kind === 'invalid') faults.push({ at: name, text: idempotencyKeyText });
  if (key.kind === 'key' && holdsCardNumber(key.key)) faults.push(cardNumberFault(name));
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity') {
    faults.push({ at: 'Content-Encoding', text: "Input should be 'identity'" });
  }
  if (body.kind === 'too_large') faults.push({ at: 'body', text: bodyTooLarge });
  return faults;
}
