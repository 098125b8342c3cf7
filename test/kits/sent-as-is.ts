import { type Agent, request } from 'node:http';
import { type ApiOperation, schemaFaults } from './open-api.ts';

/** A request to the letter, its path escaped as the caller wants it. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface Answered {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
}

/** By Node's own client, which sends what `fetch` corrects. */
export function sendAsIs(
  to: { readonly url: string; readonly agent?: Agent },
  { method, path, headers, body }: Sent,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const { url, ...options } = to;
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const asked = { ...options, path, method, headers: { ...headers, ...length } };
    const call = request(url, asked, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 0, headers: given } = response;
        const text = Buffer.concat(chunks).toString();
        resolve({ status: statusCode, type: given['content-type'], text });
      });
    });
    call.on('error', reject);
    call.end(body);
  });
}

/** What an answer has that the operation's document does not; none is good. */
export function undocumentedOf(
  { name, answers }: ApiOperation,
  { status, type, text }: Answered,
): readonly string[] {
  const docs = answers.get(status);
  if (docs === undefined) return [`${status} ${text}`];
  // What the probe says of other work is its answer.
  if (status >= 500 && name !== 'GET /readyz') return [`${status} is a failure of ours`];
  if (docs.mediaType === undefined) return text === '' ? [] : [`${status} has a body`];
  const given = type?.replace(/;.*/, '');
  if (given !== docs.mediaType) return [`${status} is ${type} and not ${docs.mediaType}`];
  if (given !== 'application/json' || docs.schema === undefined) return [];
  return schemaFaults(docs.schema, JSON.parse(text)).map((fault) => `${status}${fault}`);
}
