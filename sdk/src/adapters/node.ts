import type { FetchHandler } from '../fetch-handler.ts';
import { joinBytes } from '../hmac.ts';

/** What is needed of Node's IncomingMessage; frameworks may have added `body`. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether nobody has read the body to its end. */
  readonly readableEnded: boolean;
}

/** What is needed of Node's ServerResponse. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: Uint8Array): unknown;
}

/** A body that a parser took, so that its bytes are gone: it cannot be verified any more. */
export class RawBodyError extends Error {
  override readonly name = 'RawBodyError';
  readonly reason = 'body_not_raw';
  readonly action =
    'Mount the route before express.json() or any other body parser, or give it express.raw().';

  constructor() {
    super('The body was parsed before the handler saw its bytes [body_not_raw]');
  }
}

const maxBytes = 1_048_576;

/** Serves a handler by Node's http: `createServer(nodeListener(handler))`. */
export function nodeListener(
  handler: FetchHandler,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    try {
      await serve(handler, request, response);
    } catch {
      // The connection broke while its body came; whoever is still there learns that it failed.
      await send(new Response(null, { status: 500 }), response);
    }
  };
}

/** Hands a request of Node to a handler, and sends its answer. Throws RawBodyError. */
export async function serve(
  handler: FetchHandler,
  request: NodeRequest & { readonly body?: unknown },
  response: NodeResponse,
): Promise<void> {
  const body = await rawBodyOf(request);
  await send(await handler(fetchRequest(request, body)), response);
}

/** A request of the Fetch standard with these bytes. Its host is not the real one: paths count. */
export function fetchRequest(
  request: Pick<NodeRequest, 'method' | 'url' | 'headers'>,
  body: NonNullable<RequestInit['body']>,
): Request {
  const method = request.method ?? 'GET';
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const each of [value ?? []].flat()) headers.append(name, each);
  }
  const isBodyless = method === 'GET' || method === 'HEAD';
  const path = `/${(request.url ?? '').replace(/^\/+/, '')}`;
  return new Request(`http://merchant.invalid${path}`, {
    method,
    headers,
    ...(isBodyless ? {} : { body }),
  });
}

/**
 * The bytes as they came: read here, or left by a parser that leaves them alone. One byte more than
 * a handler takes is enough of a body that is too large.
 */
async function rawBodyOf(
  request: NodeRequest & { readonly body?: unknown },
): Promise<Uint8Array<ArrayBuffer>> {
  const { body } = request;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  if (typeof body === 'string') return joinBytes(body);
  if (request.readableEnded && body !== undefined) throw new RawBodyError();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    // Read on all the same: leaving the loop would cut the connection before the answer.
    if (bytes <= maxBytes) chunks.push(chunk);
  }
  return bytes <= maxBytes ? joinBytes(...chunks) : new Uint8Array(maxBytes + 1);
}

async function send(answer: Response, response: NodeResponse): Promise<void> {
  response.statusCode = answer.status;
  answer.headers.forEach((value, name) => {
    response.setHeader(name, value);
  });
  response.end(new Uint8Array(await answer.arrayBuffer()));
}
