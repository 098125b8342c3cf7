import { connect, type Socket } from 'node:net';
import { serve } from '../kit/serve.ts';

/** Sends requests over raw connections, each waiting for its answer: the leanest load. */
export interface LoadInput {
  readonly url: string;
  readonly what: 'payment_method_update' | 'analyticsRecord';
  /** The header line that carries the credentials. */
  readonly credentials: string;
  readonly connections: number;
  readonly requests: number;
}

export interface LoadResult {
  readonly tookMs: number;
  readonly latenciesMs: readonly number[];
}

async function run(input: LoadInput): Promise<LoadResult> {
  const { hostname, port } = new URL(input.url);
  const latenciesMs: number[] = [];
  let sent = 0;
  const startedAtMs = performance.now();
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let sentAtMs = 0;
      let text = '';
      const next = (): void => {
        if (sent >= input.requests) {
          socket.end();
          resolve();
          return;
        }
        sent += 1;
        sentAtMs = performance.now();
        write(socket, input, hostname, sent);
      };
      socket.setNoDelay(true);
      socket.setEncoding('latin1');
      socket.on('connect', next);
      socket.on('error', reject);
      socket.on('data', (chunk: string) => {
        text += chunk;
        if (!isWhole(text)) return;
        if (!text.startsWith('HTTP/1.1 200')) {
          reject(new Error(text.slice(0, 300)));
          return;
        }
        latenciesMs.push(performance.now() - sentAtMs);
        text = '';
        next();
      });
    });
  await Promise.all(Array.from({ length: input.connections }, one));
  return { tookMs: performance.now() - startedAtMs, latenciesMs };
}

function write(socket: Socket, { what, credentials }: LoadInput, host: string, n: number): void {
  const { path, body } = requests[what](n);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${credentials}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

/**
 * Sets the analytics records of this process apart from those that were kept before: a repetition
 * is none.
 */
const label = performance.timeOrigin.toString(36);
let records = 0;

const requests = {
  payment_method_update: (n: number) => ({
    path: '/recover/payment_method_updates',
    body: `{"customer_id":"cus_${n}","payment_method_id":"pm_${n}","reason":"user_updated"}`,
  }),
  /** Each of another customer, as at a checkout. */
  analyticsRecord: (n: number) => ({
    path: '/v1/analytics/',
    body: `{"customer_email":"jane.${n}@example.com","ipv4_address":"8.8.${(n >> 8) & 255}.${n & 255}","psp":"stripe","user_agent":"${userAgent}","customer_id":"cus_${label}_${records++}","charge_id":"ch_${n}"}`,
  }),
};

const userAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Whether an answer has arrived to its last byte. */
function isWhole(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1]);
  return text.length >= head + 4 + length;
}

const calls = { run };
export type LoadCalls = typeof calls;

serve(calls, async () => undefined);
