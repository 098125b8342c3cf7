import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Seeded } from '../../test/kits/seeded.ts';

/** Everything that arrived under one id. */
export interface Inbox {
  sends: number;
  acknowledged: number;
  readonly bodies: Set<string>;
  readonly json: {
    readonly invoice_id?: string;
    readonly success?: boolean;
    readonly type?: string;
  };
}

export interface ChaosMerchant {
  readonly retryStatusUrl: string;
  readonly webhookUrl: string;
  /** Webhooks by their deduplication ids. */
  readonly inbox: ReadonlyMap<string, Inbox>;
  /** From now on it answers everything. */
  mend(): void;
  close(): Promise<void>;
}

/** A merchant's server that says yes, keeps what it is told, and fails at times. */
export async function startChaosMerchant(random: Seeded): Promise<ChaosMerchant> {
  const inbox = new Map<string, Inbox>();
  let isMended = false;
  const server = createServer(async (incoming, outgoing) => {
    outgoing.on('error', () => undefined);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const fails = !isMended && random.chance(0.04);
    outgoing.setHeader('content-type', 'application/json');
    if (incoming.url?.startsWith('/webhooks') === true) {
      const text = Buffer.concat(chunks).toString('utf8');
      const id = String(incoming.headers['x-service-webhook-deduplication-id']);
      const known = inbox.get(id);
      const entry = known ?? {
        sends: 0,
        acknowledged: 0,
        bodies: new Set(),
        json: JSON.parse(text) as Inbox['json'],
      };
      entry.sends += 1;
      entry.bodies.add(createHash('sha256').update(text).digest('hex'));
      if (!fails) entry.acknowledged += 1;
      inbox.set(id, entry);
    }
    outgoing.statusCode = fails ? 500 : 200;
    outgoing.end(JSON.stringify({ retry: true, reason: 'open' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    retryStatusUrl: `${origin}/retry/{invoice_id}`,
    webhookUrl: `${origin}/webhooks`,
    inbox,
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
