import type { Static, TSchema } from 'typebox';
import type { Needs } from '../../domain/access/operators.ts';
import type { NeededScope } from '../../domain/access/scopes.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import type { Fault } from '../../domain/json/fault.ts';
import type { Answer } from '../server/answer.ts';
import type { AnyCaller, Exchange } from './exchange.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The parts of a request. */
export interface EndpointSchema {
  readonly path?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
}

/** What a request asks, in the types of the endpoint's schema; undefined are parts without one. */
export interface Asked<Schema extends EndpointSchema = EndpointSchema> {
  readonly path: PartOf<Schema['path']>;
  readonly query: PartOf<Schema['query']>;
  readonly body: PartOf<Schema['body']>;
  readonly exchange: Exchange;
}

type PartOf<Part> = Part extends TSchema ? Static<Part> : undefined;

/** What a body is beyond its schema. */
export interface BodyOptions {
  /** Whether a request without one, and then without a Content-Type, stands for `{}`. */
  readonly isOptional?: boolean;
  /** What no schema can say. It sees the value as it came, and who sends it. */
  rules?(value: unknown, caller: AnyCaller): readonly Fault[];
  /** Default: application/json. */
  readonly mediaType?: string;
  readonly examples?: Readonly<Record<string, unknown>>;
  /** Where it may be larger than the API's other bodies, and what is said of one that is larger still. */
  readonly largest?: { readonly bytes: number; readonly refusal: ErrorCode };
}

/** What the documents say of an answer. A schema with a description of its own stands for itself. */
export type AnswerDocs = DescribedAnswer | TSchema;

export interface DescribedAnswer {
  readonly description: string;
  /** Default: application/json. */
  readonly mediaType?: string;
  readonly schema: TSchema;
  readonly example: unknown;
  /** What else it may come as, by media type. */
  readonly otherForms?: Readonly<Record<string, TSchema>>;
  /** Headers beside those that all answers of the API have. */
  readonly headers?: Readonly<Record<string, object>>;
}

/** What the documents say of an endpoint. Answers that all of an API share are added. */
export interface EndpointDocs {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
}

export interface EndpointDefinition<Schema extends EndpointSchema, Context> {
  readonly method: Method;
  /** Its parameters are in braces: `/recover/payments/{invoice_id}`. */
  readonly path: string;
  /** Other ways to write the path, which the documents do not show. */
  readonly aliases?: readonly string[];
  /** What its caller has to be, of the API whose callers have roles. */
  readonly needs?: Needs;
  /** What its caller's key has to be for, of the APIs whose callers are merchants. */
  readonly scope?: NeededScope;
  /** `open`: answered without credentials. */
  readonly access?: 'open';
  /** Answered however far behind the process is. */
  readonly isProbe?: boolean;
  /** How many requests of its caller's pace one of it takes; absent: 1. */
  readonly weight?: number;
  /** Whether its answer holds a secret: what is kept of it for repetitions is sealed. */
  readonly answersSecret?: boolean;
  /** Absent: no document shows it. */
  readonly docs?: EndpointDocs;
  /** What is checked before `answer` is called: a body that stands here is read as JSON. */
  readonly schema?: Schema;
  /** Parts that the documents show otherwise, or that the endpoint reads by itself. */
  readonly documented?: EndpointSchema;
  readonly body?: BodyOptions;
  readonly answers?: Readonly<Record<number, AnswerDocs>>;
  /** Throws AppError for what the API's error mapper puts into an answer. */
  answer(asked: Asked<Schema>, context: Context): Promise<Answer>;
}

/** One endpoint of an API whose calls give it a `Context`. */
export interface Endpoint<in Context = never>
  extends Omit<EndpointDefinition<EndpointSchema, unknown>, 'answer'> {
  answer(asked: Asked, context: Context): Promise<Answer>;
}

/** One that says what its caller has to be: a list of these takes no other. */
export type GuardedEndpoint<Context = never> = Endpoint<Context> & { readonly needs: Needs };

/** One that says what its caller's key has to be for: a list of these takes no other. */
export type ScopedEndpoint<Context = never> = Endpoint<Context> & { readonly scope: NeededScope };

/**
 * The one form of an endpoint, for all APIs and for streams too: `serveEndpoints` routes, authorises,
 * checks and answers by it, and `openApiOf` documents by it. What the answer needs, it names as its
 * second parameter; the API's list accepts it if every call of that API has it.
 */
export function defineEndpoint<Schema extends EndpointSchema, Context = unknown>(
  definition: EndpointDefinition<Schema, Context> & { readonly needs: Needs },
): GuardedEndpoint<Context>;
export function defineEndpoint<Schema extends EndpointSchema, Context = unknown>(
  definition: EndpointDefinition<Schema, Context> & { readonly scope: NeededScope },
): ScopedEndpoint<Context>;
export function defineEndpoint<Schema extends EndpointSchema, Context = unknown>(
  definition: EndpointDefinition<Schema, Context>,
): Endpoint<Context>;
export function defineEndpoint<Schema extends EndpointSchema, Context>(
  definition: EndpointDefinition<Schema, Context>,
): Endpoint<Context> {
  return definition as Endpoint<Context>;
}

/** Such as `POST /recover/payments/{invoice_id}/retry`: the same in logs, metrics and keys. */
export function routeOf(endpoint: Pick<Endpoint, 'method' | 'path'>): string {
  return `${endpoint.method} ${endpoint.path}`;
}
