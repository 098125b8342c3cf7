import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Fault } from '../../domain/json/fault.ts';
import { readStrictJson } from '../../domain/json/strict-json.ts';
import type { RecoveryApi } from '../../recovery/api.ts';
import {
  idempotencyKeyText,
  type KeyHeader,
  readIdempotencyKey,
} from '../idempotency/idempotency-key.ts';
import { fingerprintOf, receiptUuid } from '../idempotency/receipt-uuid.ts';
import { type RunOnceDeps, runOnce } from '../idempotency/run-once.ts';
import type { Answer } from '../server/answer.ts';
import type { RawBody } from '../server/read-body.ts';
import { bodyTooLarge, invalidRequest, keyAnswers, transportAnswers } from './answers.ts';
import type { Caller } from './caller.ts';
import { type PostEndpoint, routeOf } from './endpoint.ts';

export interface PostDeps extends RunOnceDeps {
  readonly api: RecoveryApi;
  readonly newUuid: () => string;
}

const noBody: RawBody = { kind: 'whole', bytes: Buffer.alloc(0) };

/** Answers one POST endpoint's requests: headers, then the key, then the body, then the engine. */
export function answerPost(
  deps: PostDeps,
  endpoint: PostEndpoint,
): (request: FastifyRequest, caller: Caller) => Promise<Answer> {
  const route = routeOf(endpoint);
  return async (request, caller) => {
    const body = (request.body as RawBody | undefined) ?? noBody;
    if (body.kind === 'cut_off') return transportAnswers.malformed;
    const header = readIdempotencyKey(request.raw.headers['idempotency-key']);
    const faults = headerFaults(request.raw.headers, header, body);
    if (faults.length > 0 || body.kind === 'too_large') return invalidRequest(faults);
    const run = (uuid: string): Promise<Answer> =>
      carryOut(deps, endpoint, { request, caller, bytes: body.bytes, uuid });
    if (header.kind !== 'key') return run(deps.newUuid());
    const fingerprint = fingerprintOf(request.raw.url ?? '', body.bytes);
    const key = { merchantId: caller.merchantId, route, key: header.key, fingerprint };
    return runOnce(deps, key, keyAnswers, () => run(receiptUuid(key, fingerprint)));
  };
}

function headerFaults(
  headers: IncomingHttpHeaders,
  key: KeyHeader,
  body: RawBody,
): readonly Fault[] {
  const faults: Fault[] = [];
  if (key.kind === 'invalid') faults.push({ at: 'Idempotency-Key', text: idempotencyKeyText });
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity') {
    faults.push({ at: 'Content-Encoding', text: "Input should be 'identity'" });
  }
  if (body.kind === 'too_large') faults.push({ at: 'body', text: bodyTooLarge });
  return faults;
}

interface Posted {
  readonly request: FastifyRequest;
  readonly caller: Caller;
  readonly bytes: Buffer;
  readonly uuid: string;
}

async function carryOut(
  deps: PostDeps,
  endpoint: PostEndpoint,
  { request, caller, bytes, uuid }: Posted,
): Promise<Answer> {
  const isEmpty = bytes.length === 0 && endpoint.bodyIsOptional;
  const json = isEmpty ? ({ kind: 'value', value: {} } as const) : readStrictJson(bytes);
  if (json.kind === 'faults') return invalidRequest(json.faults);
  const faults = endpoint.check(json.value, caller);
  if (faults.length > 0) return invalidRequest(faults);
  const path = request.params as Readonly<Record<string, string>>;
  return endpoint.answer({ api: deps.api, caller, path, body: json.value, uuid });
}
