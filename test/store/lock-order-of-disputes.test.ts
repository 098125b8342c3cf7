import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../src/domain/clock.ts';
import { removeAnalytics } from '../../src/store/disputes/analytics-retention.ts';
import { createDisputeStore } from '../../src/store/disputes/dispute-store.ts';
import { createMatchStore } from '../../src/store/disputes/matching/match-store.ts';
import {
  type AnalyticsWorld,
  analyticsRecord,
  openAnalyticsWorld,
} from '../kits/analytics-world.ts';
import { addDispute } from '../kits/dispute-row.ts';
import { waits } from '../kits/waits-in-order.ts';

let world: AnalyticsWorld;
beforeAll(async () => {
  world = await openAnalyticsWorld();
});
afterAll(() => world.close());

const customerId = 'cus_1';
const disputeId = 'dp_1';
let merchantId: string;

/** Each of a merchant of its own: one record of a customer, and a dispute that knows the address as well. */
beforeEach(async () => {
  for (const table of [
    'dispute_attachments',
    'dispute_matches',
    'disputes',
    'analytics',
    'analytics_subjects',
  ]) {
    await world.rows(`delete from ${table}`);
  }
  merchantId = world.first.merchantId;
  await world.submit({ ...analyticsRecord, customer_id: customerId });
});

const disputed = async (status: 'lost' | 'needs_response') => {
  await addDispute(
    { merchantId, rows: async (text, values) => world.rows(text, [...(values ?? [])]) as never },
    { status },
  );
  await world.rows('update disputes set email_index = (select email_index from analytics limit 1)');
};

const erase = () => world.store.eraseCustomer({ merchantId, customerId, at: world.clock.now() });

const heldDispute = 'select 1 from disputes for update';

describe('disputes are held before the analytics records of their customers', () => {
  it('by an erasure, as by a match', async () => {
    await disputed('lost');
    const outcome = await waits(world, {
      first: heldDispute,
      later: 'select 1 from analytics for update nowait',
      work: erase,
    });
    expect(outcome).toMatchObject({ kind: 'erased', erasure: { records: 1 } });
    expect(await world.rows('select email_index from disputes')).toEqual([{ email_index: null }]);
  });

  it('also by an erasure of the person whose record a dispute was matched with, as by its look-up', async () => {
    await disputed('lost');
    await world.rows('update disputes set email_index = null');
    await world.rows(
      `insert into dispute_matches (merchant_id, dispute_id, analytics_id, rank, score, reasons, is_inherited)
       select merchant_id, $1, analytics_id, 1, 100, '{charge}', false from analytics`,
      [disputeId],
    );
    const outcome = await waits(world, {
      // As what a look-up writes holds it; then it holds the analytics records.
      first: `update disputes set look_ups = look_ups + 1 returning 1`,
      later: 'select 1 from analytics for update nowait',
      work: erase,
    });
    expect(outcome).toMatchObject({ kind: 'erased', erasure: { records: 1 } });
    expect(await world.rows('select email_forgotten from disputes')).toEqual([
      { email_forgotten: true },
    ]);
  });

  it('by a look-up, as by an erasure: what it learned goes with what is erased meanwhile', async () => {
    await disputed('lost');
    const store = createDisputeStore({ db: world.db });
    const key = { merchantId, psp: 'sandbox', pspDisputeId: disputeId } as const;
    const emailIndex = 'ab'.repeat(32);
    const looksUp = () =>
      store.change(
        key,
        (stored) => {
          if (stored === undefined) throw new Error('it is there');
          return { ...stored, facts: { ...stored.facts, emailIndex } };
        },
        undefined,
        world.clock.now(),
      );
    const record = await waits(world, {
      // As an erasure does, which then takes the analytics records.
      first: 'update disputes set email_index = null, email_forgotten = true returning 1',
      later: 'select 1 from analytics for update nowait',
      work: looksUp,
    });
    expect(record.facts).not.toHaveProperty('emailIndex');
    expect(await world.rows('select email_index from disputes')).toEqual([{ email_index: null }]);
  });

  it('and before what was added to them, as by a file that came whole', async () => {
    await disputed('lost');
    await addFile();
    const outcome = await waits(world, {
      first: heldDispute,
      later: 'select 1 from dispute_attachments for update nowait',
      work: erase,
    });
    expect(outcome).toMatchObject({ kind: 'erased' });
    expect(await world.rows('select 1 from dispute_attachments')).toEqual([]);
  });

  it('and before the audit log, which tells of what was added', async () => {
    await disputed('lost');
    await addFile();
    const outcome = await waits(world, {
      first: heldDispute,
      later: `select 1 from audit_heads where merchant_id = '${merchantId}' for update nowait`,
      work: erase,
    });
    expect(outcome).toMatchObject({ kind: 'erased' });
  });
});

async function addFile(): Promise<void> {
  await world.rows(`update disputes set customer_id = $1`, [customerId]);
  await world.rows(
    `insert into dispute_attachments (merchant_id, dispute_id, attachment_id, kind, media_type, sealed_name,
       key_version, added_by, created_at)
     values ($1, $2, 'fil_1', 'other', 'image/png', $3, 1, 'merchant', $4)`,
    [merchantId, disputeId, Buffer.alloc(64), world.clock.now()],
  );
}

it('persons are held before their analytics records: by what removes old ones, as by an erasure', async () => {
  const removed = await waits(world, {
    first: 'select 1 from analytics_subjects for update',
    later: 'select 1 from analytics for update nowait',
    work: () => removeAnalytics(world.db, addMs(world.clock.now(), 400 * dayMs), 10),
  });
  expect(removed).toBe(1);
  expect(await world.rows('select 1 from analytics_subjects')).toEqual([]);
});

describe('analytics records are held in the order of their ids', () => {
  const matches = () => createMatchStore({ db: world.db });
  const matchOf = (analyticsId: string) =>
    ({ analyticsId, score: 60, reasons: ['charge'], isInherited: false }) as const;

  /** A dispute that is open, and a dozen records in the order of their ids. */
  async function recorded(): Promise<readonly string[]> {
    for (let index = 1; index < 12; index += 1) {
      await world.submit({
        ...analyticsRecord,
        customer_id: customerId,
        charge_id: `ch_${index}_`,
      });
    }
    await disputed('needs_response');
    const rows = (await world.rows('select analytics_id as id from analytics order by 1')) as {
      id: string;
    }[];
    return rows.map(({ id }) => id);
  }

  const one = (id = '', how = '') =>
    `select 1 from analytics where analytics_id = '${id}' for update${how}`;
  const others = (id = '') =>
    `select count(*) from (select 1 from analytics where analytics_id > '${id}' for update nowait) a`;
  const heldOnes = () => world.rows('select 1 from analytics where legal_hold');
  const save = (state: 'conflict' | 'none', ids: readonly string[]) =>
    matches().save({
      merchantId,
      disputeId,
      state,
      matches: ids.map(matchOf),
      at: world.clock.now(),
    });

  it('by the first look at a dispute, whichever is the best match', async () => {
    const ids = await recorded();
    await waits(world, {
      first: one(ids[0]),
      later: others(ids[0]),
      work: () => save('conflict', ids.toReversed()),
    });
    expect(await heldOnes()).toHaveLength(12);
  });

  it('by a later look, which lets go of those that were found before', async () => {
    const ids = await recorded();
    await save('conflict', ids);
    await waits(world, { first: one(ids[0]), later: others(ids[0]), work: () => save('none', []) });
    expect(await heldOnes()).toEqual([]);
  });

  it('by a person who chooses one', async () => {
    const ids = await recorded();
    const chosen = ids.at(-1) ?? '';
    await save('conflict', ids.slice(0, -1));
    const outcome = await waits(world, {
      first: one(ids[0]),
      later: one(chosen, ' nowait'),
      work: () =>
        matches().confirm({
          merchantId,
          disputeId,
          analyticsId: chosen,
          actor: 'operator',
          at: world.clock.now(),
        }),
    });
    expect(outcome).toBe('confirmed');
    expect(await heldOnes()).toHaveLength(1);
  });
});
