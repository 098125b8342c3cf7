import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '../../../domain/limits.ts';

/** What goes back; `lost` breaks the connection instead. */
export type Answer = JsonAnswer | { readonly kind: 'lost' };

export interface JsonAnswer {
  readonly kind: 'json';
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Writes an answer. */
export function send(response: ServerResponse, answer: Answer): void {
  if (answer.kind === 'lost') {
    response.destroy();
    return;
  }
  const body = Buffer.from(answer.text);
  response.writeHead(answer.status, {
    'content-type': 'application/json',
    'content-length': body.length,
    ...answer.headers,
  });
  response.end(body);
}

/** An answer of the API's one error shape. `more` goes into it, such as the faulty `param`. */
export function fault(
  status: number,
  type: string,
  message: string,
  more: Readonly<Record<string, string>> = {},
): JsonAnswer {
  return { kind: 'json', status, text: JSON.stringify({ error: { type, ...more, message } }) };
}

/** The JSON value of a text, or undefined when it is none. */
export function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** The whole body, or undefined when it is larger than an API of ours would read. */
export function readBody(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limits.requestBodyBytes) resolve(undefined);
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
  });
}
