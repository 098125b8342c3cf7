import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as a test processor sees it. */
export interface PspRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
}

/** `broken`: the connection breaks without an answer. */
export type PspAnswer =
  | {
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | 'broken';

export interface HttpPsp {
  readonly url: string;
  written(): string;
  close(): Promise<void>;
}

/**
 * An HTTP server on the loopback interface that answers JSON and notes every text; `noted` takes
 * out of a request's body what a processor may not keep.
 */
export async function startHttpPsp(
  treat: (request: PspRequest) => Promise<PspAnswer>,
  noted: (text: string) => string = (text) => text,
): Promise<HttpPsp> {
  const texts: string[] = [];
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const text = bytes.toString('utf8');
    const { method = '', headers } = message;
    const url = new URL(message.url ?? '/', 'http://localhost');
    texts.push(`${method} ${url.pathname}${url.search}\n${noted(text)}`);
    send(response, await treat({ method, url, headers, text, bytes }), texts);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    written: () => texts.join('\n'),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, answer: PspAnswer, texts: string[]): void {
  if (answer === 'broken') {
    response.destroy();
    return;
  }
  const text = answer.body === undefined ? '' : JSON.stringify(answer.body);
  texts.push(text);
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
  response.end(text);
}
