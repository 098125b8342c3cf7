import type { TSchema } from 'typebox';
import { holdsCardNumber } from '../../domain/cards/card-numbers.ts';
import { AppError } from '../../domain/errors.ts';
import { cardNumberFault, type Fault } from '../../domain/json/fault.ts';
import type { Shape } from '../../domain/json/shape.ts';
import { readStrictJson } from '../../domain/json/strict-json.ts';
import { characterFaults, type QueryResult } from '../check-query.ts';
import type { Answer } from '../server/answer.ts';
import type { RawBody } from '../server/read-body.ts';
import type { Asked, BodyOptions, Endpoint } from './define-endpoint.ts';
import { type AnyCaller, type Exchange, hasBody } from './exchange.ts';
import type { Reading } from './serve-endpoints.ts';

export type Place = 'path' | 'query' | 'body';

/** How an API checks the parts of requests, and what it says of faults. */
export interface PartRules {
  readonly bodyBytes: number;
  /** An answer for a path that can name nothing. */
  checkPath(schema: TSchema | undefined): (path: unknown) => readonly Fault[];
  checkQuery(schema: TSchema): (query: unknown) => QueryResult;
  checkBody(schema: TSchema, rules: BodyOptions['rules']): BodyCheck;
  refuse(place: Place, faults: readonly Fault[]): Answer;
  /** The answer to a body that did not come whole; it may throw AppError. */
  refuseBody(kind: Exclude<RawBody['kind'], 'whole'>): Answer;
}

export type BodyCheck = (value: unknown, caller: AnyCaller) => readonly Fault[];

/** Compiles the check of an endpoint's requests: the path, then the body, then the query. */
export function compileParts(
  rules: PartRules,
  { schema = {}, body: options = {} }: Pick<Endpoint, 'schema' | 'body'>,
): (exchange: Exchange) => Promise<Reading> {
  const checkPath = rules.checkPath(schema.path);
  const checkQuery = schema.query && rules.checkQuery(schema.query);
  const checkBody = schema.body && rules.checkBody(schema.body, options.rules);
  const refused = (place: Place, faults: readonly Fault[]): Reading => ({
    kind: 'refused',
    answer: rules.refuse(place, faults),
  });

  return async (exchange) => {
    const { params: path, query: given } = exchange.request;
    const pathFaults = [...pathTextFaults(path), ...checkPath(path)];
    if (pathFaults.length > 0) return refused('path', pathFaults);
    let body: unknown;
    if (checkBody !== undefined) {
      const { bytes = rules.bodyBytes } = options.largest ?? {};
      const raw = hasBody(exchange) ? await exchange.readBody(bytes) : noBody;
      if (raw.kind === 'too_large' && options.largest !== undefined) {
        throw new AppError(options.largest.refusal);
      }
      if (raw.kind !== 'whole') return { kind: 'refused', answer: rules.refuseBody(raw.kind) };
      const json = jsonOf(raw.bytes, schema.body, options);
      if (json.kind === 'faults') return refused('body', json.faults);
      const faults = checkBody(json.value, exchange.caller ?? {});
      if (faults.length > 0) return refused('body', faults);
      body = json.value;
    }
    let query: unknown;
    if (checkQuery !== undefined) {
      const result = checkQuery(given);
      if (result.kind === 'faults') return refused('query', result.faults);
      query = result.query;
    }
    return { kind: 'asked', asked: { path, query, body, exchange } as Asked };
  };
}

/** What no id in a path can be, whichever API it is of. */
function pathTextFaults(path: unknown): readonly Fault[] {
  const given = path as Readonly<Record<string, string>>;
  return [
    ...characterFaults(given),
    ...Object.keys(given)
      .filter((at) => holdsCardNumber(given[at] ?? ''))
      .map(cardNumberFault),
  ];
}

const noBody: RawBody = { kind: 'whole', bytes: Buffer.alloc(0) };

function jsonOf(
  bytes: Buffer,
  schema: TSchema | undefined,
  { isOptional }: BodyOptions,
): ReturnType<typeof readStrictJson> {
  if (bytes.length === 0 && isOptional === true) return { kind: 'value', value: {} };
  return readStrictJson(bytes, schema as Shape | undefined);
}
