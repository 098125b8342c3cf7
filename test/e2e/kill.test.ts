import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { connectionStringOf, killDatabase } from '../kits/data-dirs.ts';
import { startFakeMerchant } from '../kits/fake-merchant.ts';
import { seeded, startKillLoad } from '../kits/kill-load.ts';
import { readLedgerFile } from '../kits/ledger-file.ts';
import { type Service, useServices } from '../kits/service.ts';
import { brokenPromises, createMerchant, recoveryApi } from '../kits/service-calls.ts';

/**
 * The service, its embedded database and the sandbox PSP inside it are killed under load, and start
 * again on the same folder. The merchant's server lives in the test and sees everything.
 */
const services = useServices();
const kills = 20;
/** Every so many kills take the database along. */
const databaseToo = 4;
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000);

/** Short, so that what a kill leaves is taken up soon; the relations between them still hold. */
const env = {
  MERCHANT_TIMEOUT: '1s',
  PSP_TIMEOUT: '1s',
  WEBHOOK_TIMEOUT: '1s',
  ATTEMPT_LEASE: '3s',
  DELIVERY_LEASE: '2s',
};
const quietWithinMs = 90_000;

test('killed 20 times under load: nothing acknowledged is lost, nothing is charged or told twice', async () => {
  process.stdout.write(`kill test: KILL_SEED=${seed}\n`);
  const random = seeded(seed);
  const server = await startFakeMerchant();
  onTestFinished(() => server.close());
  const dataDir = await services.dataDir();
  let service = await services.start({ dataDir, env });
  const merchant = await createMerchant(service, server);
  const load = startKillLoad(() => recoveryApi(service, merchant.apiKey), random);
  for (let kill = 1; kill <= kills; kill += 1) {
    // The moment of the kill is the one thing that has to be by chance.
    await pause(200 + random() * 1_200);
    if (kill % databaseToo === 0) await killDatabase(dataDir);
    await service.kill();
    service = await services.start({ dataDir, env });
  }
  await pause(500);
  await load.stop();

  const db = new pg.Client({ connectionString: await connectionStringOf(dataDir) });
  await db.connect();
  try {
    await untilQuiet(db);
    await expectKept(db, load.promises, merchant.merchantId);
    await expectChargedOnce(db, dataDir, merchant.merchantId);
    await expectTold(db, server.webhooks, merchant.merchantId);
  } finally {
    await db.end();
  }
  expect(await brokenPromises(service)).toEqual([]);
  await expectCleanEnd(service);
});

/** Waits until nothing is under way: what is left waits for tomorrow's try. */
async function untilQuiet(db: pg.Client): Promise<void> {
  const deadline = performance.now() + quietWithinMs;
  for (;;) {
    const { rows } = await db.query(`
      select (select count(*) from requests where state = 'accepted')::int as requests,
             (select count(*) from payments where state = 'attempting')::int as attempting,
             (select count(*) from payments where due_action = 'plan')::int as unplanned,
             (select count(*) from deliveries where state = 'pending')::int as deliveries`);
    const left = rows[0] as Record<string, number>;
    if (Object.values(left).every((count) => count === 0)) return;
    if (performance.now() > deadline) throw new Error(`Still under way: ${JSON.stringify(left)}`);
    await pause(100);
  }
}

async function expectKept(
  db: pg.Client,
  promises: { readonly receipts: readonly string[]; readonly stopped: readonly string[] },
  merchantId: string,
): Promise<void> {
  expect(promises.receipts.length).toBeGreaterThan(100);
  const uuids = promises.receipts.map((receipt) => receipt.split(':')[0]);
  const { rows } = await db.query(
    `select uuid from requests where merchant_id = $1 and state = 'applied'`,
    [merchantId],
  );
  const applied = new Set(rows.map((row) => row.uuid));
  expect(uuids.filter((uuid) => !applied.has(uuid))).toEqual([]);
  const stopped = await db.query(
    `select invoice_id from payments
     where merchant_id = $1 and invoice_id = any ($2) and state <> 'stopped'`,
    [merchantId, promises.stopped],
  );
  expect(stopped.rows).toEqual([]);
}

async function expectChargedOnce(
  db: pg.Client,
  dataDir: string,
  merchantId: string,
): Promise<void> {
  const ledger = (await readLedgerFile(dataDir)).filter((charge) => charge.merchant === merchantId);
  const paid = ledger.filter((charge) => charge.status === 'succeeded');
  expect(paid.length).toBeGreaterThan(20);
  expect(new Set(paid.map((charge) => charge.invoice)).size).toBe(paid.length);
  const recovered = await db.query(
    `select invoice_id from payments where merchant_id = $1 and state = 'recovered'`,
    [merchantId],
  );
  expect(recovered.rows.map((row) => row.invoice_id).sort()).toEqual(
    paid.map((charge) => charge.invoice).sort(),
  );
  const charges = await db.query(
    `select idempotency_key, state from psp_transactions
     where merchant_id = $1 and state <> 'not_made'`,
    [merchantId],
  );
  const ours = charges.rows.map((row) => `${row.idempotency_key} ${row.state}`).sort();
  expect(ours).toEqual(ledger.map((charge) => `${charge.idempotency_key} ${charge.status}`).sort());
}

async function expectTold(
  db: pg.Client,
  webhooks: readonly { readonly deduplicationId: string; readonly rawBody: Buffer }[],
  merchantId: string,
): Promise<void> {
  const { rows } = await db.query(
    `select e.event_id, e.body, d.state from events e
     join deliveries d using (merchant_id, event_id) where merchant_id = $1`,
    [merchantId],
  );
  expect(rows.filter((row) => row.state !== 'delivered')).toEqual([]);
  const received = new Map<string, Set<string>>();
  for (const { deduplicationId, rawBody } of webhooks) {
    const bodies = received.get(deduplicationId) ?? new Set();
    received.set(deduplicationId, bodies.add(rawBody.toString('utf8')));
  }
  const sent = rows.map(({ event_id, body }) => ({
    id: createHash('md5').update(event_id).digest('hex'),
    body: body as string,
  }));
  const wrong = sent.filter(({ id, body }) => {
    const bodies = received.get(id);
    return bodies?.size !== 1 || !bodies.has(body);
  });
  expect(wrong).toEqual([]);
  expect(received.size).toBe(sent.length);
}

async function expectCleanEnd(service: Service): Promise<void> {
  expect((await service.stop()).code).toBe(0);
}
