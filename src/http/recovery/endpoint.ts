import type { TSchema } from 'typebox';
import type { RecoveryApi } from '../../recovery/api.ts';
import type { SchemaCheck } from '../check-schema.ts';
import type { Answer } from '../server/answer.ts';
import type { Caller } from './caller.ts';
import type { Operation } from './operation.ts';

/** What every call knows: who calls, and the values of the path's parameters. */
export interface Call {
  readonly api: RecoveryApi;
  readonly caller: Caller;
  readonly path: Readonly<Record<string, string>>;
}

/** One GET of the API. `path` marks its parameters with braces, as the docs do. */
export interface GetEndpoint<Query = unknown> {
  readonly method: 'GET';
  readonly path: string;
  readonly operation: Operation;
  /** The query's parameters: texts, and integers in digits. Others are ignored. */
  readonly query?: TSchema;
  answer(call: Call & { readonly query: Query }): Promise<Answer>;
}

/** One POST of the API. */
export interface PostEndpoint<Body = unknown> {
  readonly method: 'POST';
  readonly path: string;
  readonly operation: Operation;
  /** Whether a request without a body, and then without a Content-Type, stands for `{}`. */
  readonly bodyIsOptional: boolean;
  readonly check: SchemaCheck<Caller>;
  answer(call: Call & { readonly body: Body; readonly uuid: string }): Promise<Answer>;
}

export type Endpoint = GetEndpoint | PostEndpoint;

/** Such as `POST /recover/payments/{invoice_id}/retry`: the same in logs, metrics and keys. */
export function routeOf(endpoint: Endpoint): string {
  return `${endpoint.method} ${endpoint.path}`;
}
