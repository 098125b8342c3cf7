import { Agent, type Dispatcher, request } from 'undici';
import { minuteMs, secondMs } from '../domain/clock.ts';
import { AppError } from '../domain/errors.ts';
import { present } from '../domain/present.ts';
import { downloadAs } from '../http/endpoint/file-body.ts';
import type { ErrorBody } from '../operator/error-answer.ts';
import { CliError, exitCodes } from './cli-error.ts';

/** A query: what is undefined is left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** The operator API over HTTP. Every refusal and every silence is a CliError. */
export interface OperatorClient {
  /** Where the service is, such as `http://127.0.0.1:8082`. */
  readonly url: string;
  get<Answer>(path: string, query?: Query): Promise<Answer>;
  /** The bytes of an answer that is no JSON. */
  download(path: string, accept: string): Promise<Uint8Array>;
  /** What comes bit by bit; it throws where the answer is refused or cut off. */
  stream(path: string, query?: Query): AsyncIterable<Uint8Array>;
  post<Answer>(path: string, body?: unknown, options?: SendOptions): Promise<Answer>;
  /** Sends a file as it is, under this name. */
  upload<Answer>(path: string, query: Query, file: NamedFile): Promise<Answer>;
  patch<Answer>(path: string, body: unknown): Promise<Answer>;
  put<Answer>(path: string, body: unknown): Promise<Answer>;
  delete<Answer = void>(path: string): Promise<Answer>;
  /** Whether the service says that it can do its work. */
  isReady(): Promise<boolean>;
}

export interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface SendOptions {
  /** Waits as long as it takes: moving the clock does a month's work. */
  readonly patient?: boolean;
}

interface Call {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  readonly file?: NamedFile;
  readonly patient?: boolean;
  readonly accept?: string;
}

interface Reply {
  readonly status: number;
  readonly bytes: Uint8Array;
}

const connectTimeoutMs = 5 * secondMs;
const answerTimeoutMs = minuteMs;

export function createOperatorClient(input: {
  readonly url: string;
  /** Absent where none was found; the service then refuses what needs one. */
  readonly token?: string;
}): OperatorClient {
  const { url, token } = input;
  const agent = new Agent({ connect: { timeout: connectTimeoutMs } });
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };

  async function reach(call: Call): Promise<Dispatcher.ResponseData> {
    const timeoutMs = call.patient ? 0 : answerTimeoutMs;
    return await request(url + call.path + queryText(call.query), {
      method: call.method,
      dispatcher: agent,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      ...sentOf(call, authorization),
    });
  }

  async function send(call: Call): Promise<Reply> {
    try {
      const { statusCode, body } = await reach(call);
      return { status: statusCode, bytes: await body.bytes() };
    } catch (error) {
      throw unreachable(`The service did not answer at ${url}${reasonOf(error)}.`);
    }
  }

  async function* stream(call: Call): AsyncGenerator<Uint8Array> {
    try {
      const { statusCode, body } = await reach(call);
      if (statusCode < 300) return yield* body as AsyncIterable<Uint8Array>;
      const reply = { status: statusCode, bytes: await body.bytes() };
      throw refusal(statusCode, parsed(reply, url), url, token !== undefined);
    } catch (error) {
      if (error instanceof CliError) throw error;
      throw unreachable(
        `The answer of ${url} was cut off${reasonOf(error)}, so it is not complete.`,
      );
    }
  }

  async function ask<Answer>(call: Call): Promise<Answer> {
    const reply = await send({ ...call, path: `/api${call.path}` });
    if (reply.status === 204) return undefined as Answer;
    const answer = parsed(reply, url);
    if (reply.status < 300) return answer as Answer;
    throw refusal(reply.status, answer, url, token !== undefined);
  }

  return {
    url,
    get: (path, query) => ask({ method: 'GET', path, ...present({ query }) }),
    download: async (path, accept) => {
      const reply = await send({ method: 'GET', path: `/api${path}`, accept });
      if (reply.status < 300) return reply.bytes;
      throw refusal(reply.status, parsed(reply, url), url, token !== undefined);
    },
    stream: (path, query) => stream({ method: 'GET', path: `/api${path}`, ...present({ query }) }),
    post: (path, body, options) => ask({ method: 'POST', path, body, ...options }),
    upload: (path, query, file) => ask({ method: 'POST', path, query, file }),
    patch: (path, body) => ask({ method: 'PATCH', path, body }),
    put: (path, body) => ask({ method: 'PUT', path, body }),
    delete: (path) => ask({ method: 'DELETE', path }),
    isReady: async () => isReady(await send({ method: 'GET', path: '/readyz' }), url),
  };
}

function isReady(reply: Reply, url: string): boolean {
  const answer = parsed(reply, url) as { readonly status?: unknown } | null;
  if (answer?.status === 'ready') return true;
  if (answer?.status === 'not_ready') return false;
  throw stranger(url, reply.status);
}

function sentOf({ accept, body, file }: Call, authorization: Readonly<Record<string, string>>) {
  if (file !== undefined) {
    const headers = {
      ...authorization,
      'content-type': 'application/octet-stream',
      'content-disposition': downloadAs(file.name),
    };
    return { headers, body: Buffer.from(file.bytes) };
  }
  const type = body === undefined ? undefined : 'application/json';
  const headers = { ...authorization, ...present({ accept, 'content-type': type }) };
  return body === undefined ? { headers } : { headers, body: JSON.stringify(body) };
}

/** Ids as parts of a path; they may hold anything. */
export function pathOf(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

function queryText(query: Query = {}): string {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parts.append(name, String(value));
  }
  return parts.size === 0 ? '' : `?${parts}`;
}

function parsed(reply: Reply, url: string): unknown {
  try {
    return JSON.parse(Buffer.from(reply.bytes).toString('utf8'));
  } catch {
    throw stranger(url, reply.status);
  }
}

/** A refusal of the API as one line: its words, every field at fault, its code. */
function refusal(status: number, answer: unknown, url: string, hasToken: boolean): CliError {
  const error = (answer as Partial<ErrorBody> | null)?.error;
  if (typeof error?.message !== 'string') {
    return stranger(url, status);
  }
  const fields = (error.fields ?? []).map(({ field, message }) => `${field}: ${message}`);
  const words =
    fields.length === 0 ? error.message : `The request is not valid: ${fields.join('; ')}.`;
  const token = status === 401 && !hasToken ? ' No token was found; see recoup --help.' : '';
  return new CliError(exitCodes.refused, `${words}${token} [${error.code}]`);
}

function stranger(url: string, status: number): CliError {
  return unreachable(`What answers at ${url} is not Recoup's operator API (status ${status}).`);
}

function unreachable(detail: string): CliError {
  return new CliError(exitCodes.unreachable, new AppError('service_unreachable', detail).message);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return 'code' in error ? ` (${String(error.code)})` : ` (${error.message})`;
}
