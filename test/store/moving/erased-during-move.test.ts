import { beforeEach, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database.ts';
import { createAnalyticsStore } from '../../../src/store/disputes/analytics-store.ts';
import { createSealer } from '../../../src/store/sealing/sealer.ts';
import { random } from '../../kits/engine.ts';
import { CutOff, move, sourceKeys, takeBack, twoCellsInOne } from '../../kits/moving.ts';
import { minute, seedMerchant } from '../reports/seed.ts';

const merchantId = 'mer_leaver';
const customerId = 'cus_erased';
const at = minute(60);

let here: Database;
let there: Database;
let way: Parameters<typeof move>[0];
/** What only they may open who hold the person's key, and the words that were written of them. */
let secret: readonly string[];
beforeEach(async () => {
  ({ here, there, way } = await twoCellsInOne(merchantId));
  await seedMerchant(here, merchantId);
  await seedPerson();
});

const storeOf = () =>
  createAnalyticsStore({
    db: here,
    random,
    sealer: createSealer({ keys: sourceKeys, random }),
  });
const erase = () => storeOf().eraseCustomer({ merchantId, customerId, at });
const ask = (text: string, ...more: readonly unknown[]) =>
  here.pool.query(text, [merchantId, ...more]);

/** A customer with an analytics record, and a dispute that ended, with a letter, a file and a note. */
async function seedPerson(): Promise<void> {
  const { wrappedKey } = await createSealer({ keys: sourceKeys, random }).newDataKey(merchantId, 1);
  await ask('insert into data_keys values ($1, 1, $2, now())', wrappedKey);
  const ids = { customer_id: customerId, charge_id: 'ch_1' };
  const whose = { customerEmail: 'jane@example.com', ipv4Address: '8.8.4.4' };
  const analytics = { ...whose, psp: 'stripe', ids } as const;
  await storeOf().append({ merchantId, analytics, hasPublicIp: false, capturedAt: at });
  await ask(
    `insert into disputes (merchant_id, dispute_id, psp, psp_dispute_id, origin, kind, stage, status,
       state_at, stage_begun_at, opened_at, payment_ids, customer_id, created_at, updated_at)
     values ($1, 'dis_1', 'sandbox', 'dp_1', 'psp', 'dispute', 'chargeback', 'lost', $2, $2, $2, '{}', $3, $2, $2)`,
    at,
    customerId,
  );
  const sealed = (byte: number) => Buffer.alloc(40, byte);
  await ask(`insert into dispute_rebuttals values ($1, 'dis_1', $2, 1, $3)`, sealed(0xa1), at);
  await ask(
    `insert into dispute_attachments (merchant_id, dispute_id, attachment_id, kind, media_type, sealed_name,
       key_version, bytes, sha256, added_by, created_at, kept_at)
     values ($1, 'dis_1', 'att_1', 'other', 'image/png', $2, 1, 5, $3, 'merchant', $4, $4)`,
    sealed(0xa2),
    Buffer.alloc(32, 1),
    at,
  );
  await ask(`insert into dispute_attachment_parts values ($1, 'dis_1', 'att_1', 0, $2)`, part);
  const { rows } = await ask(
    `select encode(sealed_key, 'hex') as key from analytics_subjects where merchant_id = $1`,
  );
  const keys: readonly string[] = rows.map(({ key }) => key);
  secret = [...keys, sealed(0xa1).toString('hex'), sealed(0xa2).toString('hex')];
  expect(keys).not.toEqual([]);
}

const part = Buffer.alloc(40, 0xa3);

/** The tables of a cell in which a text stands, in whatever column, also as one of the rows on their way. */
async function placesOf(db: Database, text: string): Promise<readonly string[]> {
  const { rows: tables } = await db.pool.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  );
  const places: string[] = [];
  for (const { name } of tables) {
    const found = await db.pool.query(
      `select from ${name} t where position($1 in t::text) > 0 limit 1`,
      [text],
    );
    if (found.rowCount !== 0) places.push(name);
  }
  return places.sort();
}

async function secretsThere(): Promise<readonly string[]> {
  const places = await Promise.all(secret.map((one) => placesOf(there, one)));
  return [...new Set(places.flat())].sort();
}

it.each(['copied_ahead', 'drained', 'closed', 'fenced'] as const)(
  'a customer that is erased before a move is halted once it is %s, is erased in every table of both cells',
  async (step) => {
    await expect(
      move(way, {
        // The last moment at which the old cell takes calls for certain, or later, while it is halted.
        async reached(reached) {
          if (reached === 'drained' && step !== 'drained') await erase();
        },
        until: step,
      }),
    ).rejects.toThrow(CutOff);
    // What was erased already is answered again.
    expect(await erase()).toMatchObject({ kind: 'erased' });
    expect(await secretsThere()).toEqual([]);
    await move(way);
    expect(await secretsThere()).toEqual([]);
    expect(await placesOf(there, part.toString('hex'))).toEqual([]);
    expect(await placesOf(there, 'jane@example.com')).toEqual([]);
    const { rows } = await there.pool.query(
      'select customer_id, sealed from analytics where merchant_id = $1',
      [merchantId],
    );
    expect(rows).toEqual([{ customer_id: null, sealed: null }]);
  },
);

it('what an erasure destroys comes with the last copy, which none can come after', async () => {
  await move(way, {
    async reached(step) {
      expect([step, await secretsThere()]).toEqual([
        step,
        { copied: ['moving_rows'], switched: moved, moved }[String(step)] ?? [],
      ]);
    },
  });
});
const moved = ['analytics_subjects', 'dispute_attachments', 'dispute_rebuttals'];

it('what came with a last copy is forgotten when something is found under way again', async () => {
  await expect(move(way, { until: 'copied' })).rejects.toThrow(CutOff);
  expect(await secretsThere()).toEqual(['moving_rows']);
  // The fence is of before: as a database that was restored may have it.
  await here.pool.query(`update merchant_moves set state = 'draining'`);
  await expect(move(way, { until: 'copied_ahead' })).rejects.toThrow(CutOff);
  expect(await secretsThere()).toEqual([]);
});

it.each(['copied_ahead', 'fenced', 'copied'] as const)(
  'a move that is taken back once it is %s leaves nothing of the merchant in the other cell',
  async (step) => {
    await expect(move(way, { until: step })).rejects.toThrow(CutOff);
    await takeBack(way);
    expect(await placesOf(there, merchantId)).toEqual(['merchant_arrivals']);
    for (const one of [...secret, part.toString('hex')]) {
      expect(await placesOf(there, one)).toEqual([]);
    }
  },
);
