import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Seeded } from '../../test/kits/seeded.ts';

/** What happens to a charge on its way to the PSP. */
const fates = {
  passes: 74,
  /** The connection breaks, and the PSP never hears of it. */
  lost_before: 6,
  /** The PSP has made it, and its answer breaks off. */
  lost_after: 8,
  /** The answer comes when nobody waits for it any more. */
  answered_late: 6,
  /** It is long on its way there. */
  arrives_late: 6,
} as const;
type Fate = keyof typeof fates;

/** The network between the workers and the PSP. */
export interface FaultyWay {
  readonly url: string;
  /** How often each fate was met. */
  readonly met: Readonly<Record<Fate, number>>;
  /** How often the PSP took each key: one that came again relied on the PSP's memory. */
  readonly arrivals: ReadonlyMap<string, number>;
  /** When the last charge of each invoice was sent. */
  readonly lastSentMs: ReadonlyMap<string, number>;
  /** From now on everything passes. */
  mend(): void;
  close(): Promise<void>;
}

export interface FaultyWayInput {
  readonly target: string;
  /** How long the workers wait for the PSP. */
  readonly timeoutMs: number;
  /** Before a request goes on to the PSP. */
  readonly beforeEach: () => Promise<void>;
}

export async function startFaultyWay(random: Seeded, input: FaultyWayInput): Promise<FaultyWay> {
  const { target, timeoutMs, beforeEach } = input;
  const met: Record<Fate, number> = {
    passes: 0,
    lost_before: 0,
    lost_after: 0,
    answered_late: 0,
    arrives_late: 0,
  };
  const arrivals = new Map<string, number>();
  const lastSentMs = new Map<string, number>();
  let isMended = false;

  async function treat(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    outgoing.on('error', () => undefined);
    const body = await bytesOf(incoming);
    const isCharge = incoming.method === 'POST';
    const fate = isCharge && !isMended ? random.weighted(fates) : 'passes';
    const waitMs = random.int(0, timeoutMs);
    if (isCharge) {
      met[fate] += 1;
      const { invoice } = JSON.parse(body.toString('utf8')) as { invoice: string };
      lastSentMs.set(invoice, Date.now());
    }
    if (fate === 'lost_before') {
      outgoing.destroy();
      return;
    }
    if (fate === 'arrives_late') await sleep(0.9 * waitMs);
    await beforeEach();
    const answer = await pass(target, incoming, body).catch(() => undefined);
    // One that the PSP turned away made nothing, and may come again under its key.
    if (isCharge && answer?.status !== 503) {
      const key = String(incoming.headers['idempotency-key']);
      arrivals.set(key, (arrivals.get(key) ?? 0) + 1);
    }
    if (fate === 'answered_late') await sleep(timeoutMs + waitMs);
    if (answer === undefined || fate === 'lost_after') outgoing.destroy();
    else outgoing.writeHead(answer.status, answer.headers).end(answer.body);
  }

  const server = createServer((incoming, outgoing) => {
    treat(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    met,
    arrivals,
    lastSentMs,
    mend() {
      isMended = true;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function pass(target: string, incoming: IncomingMessage, body: Buffer) {
  const { method = 'GET', headers, url } = incoming;
  return new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>(
    (resolve, reject) => {
      const onward = request(`${target}${url}`, { method, headers }, (answer) => {
        bytesOf(answer).then(
          (bytes) =>
            resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: bytes }),
          reject,
        );
      });
      onward.on('error', reject).end(body);
    },
  );
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function sleep(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
