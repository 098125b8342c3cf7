import { joinBytes } from './hmac.ts';

/** What servers of the Fetch standard serve: Deno, Bun, edge runtimes, Hono, Next. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** An answer as the contract has its errors and acknowledgements: `{"detail":"…"}`. */
export function detailAnswer(
  status: number,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return jsonAnswer(status, { detail }, headers);
}

/** An answer of JSON that no cache keeps. */
export function jsonAnswer(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  });
}

/** The whole body, or undefined when it has more bytes than it may. */
export async function readBody(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return undefined;
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    if (bytes > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
  return joinBytes(...chunks);
}
