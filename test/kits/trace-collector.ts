import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP has it in JSON; ids in hexadecimal digits. */
export interface TakenSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly {
    readonly key: string;
    readonly value: Readonly<Record<string, unknown>>;
  }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number; readonly message?: string };
}

export interface TraceCollector extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly TakenSpan[];
  /** The value of this header in each delivery. */
  headers(name: string): readonly (string | undefined)[];
  /** Resolves with the spans when one is there that it looks for. */
  until(isThere: (spans: readonly TakenSpan[]) => boolean): Promise<readonly TakenSpan[]>;
}

/** A collector that takes traces by OTLP over HTTP, in JSON, and answers with `status`. */
export async function startTraceCollector(status = 200): Promise<TraceCollector> {
  const spans: TakenSpan[] = [];
  const headers: Readonly<Record<string, string | string[] | undefined>>[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    headers.push(request.headers);
    if (request.url === '/v1/traces') {
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as {
        resourceSpans: { scopeSpans: { spans: TakenSpan[] }[] }[];
      };
      for (const { scopeSpans } of resourceSpans) {
        for (const { spans: taken } of scopeSpans) spans.push(...taken);
      }
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    for (const look of waiting) look();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers: (name) => headers.map((each) => each[name] as string | undefined),
    until: (isThere) =>
      new Promise((resolve) => {
        const look = () => {
          if (isThere(spans)) resolve(spans);
        };
        waiting.push(look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function attributesOf({ attributes }: TakenSpan): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
