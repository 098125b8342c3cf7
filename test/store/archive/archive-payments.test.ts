import { describe, expect, it, vi } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { takeAnswer } from '../../../src/recovery/engine/answers/take-answer.ts';
import { archivePayments } from '../../../src/store/archive/archive-payments.ts';
import { findDeliveries } from '../../../src/store/disputes/evidence/known-events.ts';
import { followEvents } from '../../../src/store/reports/follow-events.ts';
import {
  findOperatorDelivery,
  listOperatorDeliveries,
} from '../../../src/store/reports/operator-deliveries.ts';
import { listOperatorPayments } from '../../../src/store/reports/operator-payments.ts';
import { readPaymentStory } from '../../../src/store/reports/payment-story.ts';
import { listEvents, redeliverEvent } from '../../../src/store/views/event-views.ts';
import { listPayments } from '../../../src/store/views/payment-views.ts';
import { openMerchantDatabases } from '../../../src/store/wall/merchant-databases.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { checkEverything } from '../../kits/check-everything.ts';
import { isOnCitus } from '../../kits/cluster/empty-shards.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';

const engineWorld = useEngineWorld();
const later = addMs(worldStart, 500 * dayMs);

/** One that is recovered, one that is given up, and one that is open still. */
async function endedWorld(): Promise<EngineWorld> {
  const world = await engineWorld({ endOfDunning: true });
  await world.addEndpoint({ eventTypes: ['retry_result'] });
  const methods = ['pm_sandbox_decline_51', 'pm_sandbox_success_after_4'];
  const custom = { plan: 'gold', nothing: null, exact: '1.10' };
  await world.submit(failedEvent({ invoiceId: 'in_recovered', methods, custom }));
  await world.submit(
    failedEvent({ invoiceId: 'in_exhausted', methods: ['pm_sandbox_decline_51'] }),
  );
  await world.runUntil(addMs(worldStart, 40 * dayMs));
  await world.submit(failedEvent({ invoiceId: 'in_open', at: addMs(worldStart, 40 * dayMs) }));
  await world.settle();
  return world;
}

const archiveAll = async (world: EngineWorld): Promise<number> => {
  let looked = 0;
  for (;;) {
    const step = await archivePayments(world.db, { before: later, at: world.clock.now() });
    if (step === 0) return looked;
    looked += step;
  }
};

const shown = async (world: EngineWorld, invoiceId: string) => ({
  view: await world.payment(invoiceId),
  story: await readPaymentStory(world.db, { merchantId: world.merchantId, invoiceId }),
});

const counts = async (world: EngineWorld) => {
  const [row] = await world.rows(
    `select (select count(*)::int from archived_payments) as archived,
            (select count(*)::int from events) as events,
            (select count(*)::int from deliveries) as deliveries,
            (select count(*)::int from endpoint_deliveries) as endpoint_deliveries`,
  );
  return row;
};

const breaches = async (world: EngineWorld) =>
  (await checkEverything(world.db, addMs(world.clock.now(), 3 * dayMs))).filter(
    (view) => view.breaches > 0,
  );

const redeliver = (world: EngineWorld, eventId: string) =>
  world.db.transaction((tx) =>
    redeliverEvent(tx, { merchantId: world.merchantId, eventId, at: world.clock.now() }),
  );

const firstEvent = async (world: EngineWorld, invoiceId = 'in_recovered') =>
  (await world.payment(invoiceId)).deliveries[0]?.eventId ?? 'none';

describe('a payment in the archive', () => {
  it('is shown as before, by itself and in lists', async () => {
    const world = await endedWorld();
    const { db, merchantId } = world;
    const eventId = await firstEvent(world);
    const all = async () => ({
      recovered: await shown(world, 'in_recovered'),
      exhausted: await shown(world, 'in_exhausted'),
      list: await listPayments(db, { merchantId, limit: 10 }),
      deliveries: await listOperatorDeliveries(db, {
        merchantId,
        invoiceId: 'in_recovered',
        limit: 10,
      }),
      delivery: await findOperatorDelivery(db, { merchantId, eventId }),
      ofEndpoint: await findOperatorDelivery(db, { merchantId, eventId, endpointId: 'ept_test_1' }),
      search: await listOperatorPayments(db, { search: eventId, limit: 10 }),
      evidence: await findDeliveries(db, { merchantId, invoiceId: 'in_recovered' }),
    });
    const before = await all();
    expect(before.search.items).toHaveLength(1);
    expect(before.delivery).toBeDefined();
    expect(before.ofEndpoint).toBeDefined();
    expect(await archiveAll(world)).toBe(3);
    expect(await counts(world)).toEqual({
      archived: 2,
      events: 0,
      deliveries: 0,
      endpoint_deliveries: 0,
    });
    expect(await all()).toEqual(before);
  });

  it('keeps every promise, and adds nothing to any total', async () => {
    const world = await endedWorld();
    expect(await breaches(world)).toEqual([]);
    expect(await archiveAll(world)).toBe(3);
    expect(await breaches(world)).toEqual([]);
    await redeliver(world, await firstEvent(world));
    await world.settle();
    expect(await breaches(world)).toEqual([]);
  });

  it('says what is wrong still: a charge that is gone, a webhook that is lost since', async () => {
    const world = await endedWorld();
    await archiveAll(world);
    await world.submit(failedEvent({ invoiceId: 'in_new', at: world.clock.now() }));
    await world.submit(failedEvent({ invoiceId: 'in_next', at: world.clock.now() }));
    await world.runUntil(addMs(world.clock.now(), 2 * dayMs));
    expect(await breaches(world)).toEqual([]);
    for (const table of ['deliveries', 'endpoint_deliveries', 'events']) {
      await world.rows(
        `delete from ${table} where event_id in (
           select event_id from events
           where invoice_id in ('in_new', 'in_next') order by sequence limit 1)`,
      );
    }
    await world.rows(
      `delete from psp_transactions where invoice_id = 'in_recovered' and state = 'succeeded'`,
    );
    expect((await breaches(world)).map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'event_sequences_without_gaps',
        'one_event_per_result',
        'totals_are_kept',
      ]),
    );
  });

  it('comes back whole when a webhook of it is sent again', async () => {
    const world = await endedWorld();
    const eventId = await firstEvent(world);
    const event = (await world.events()).find((item) => item.eventId === eventId);
    const before = await shown(world, 'in_recovered');
    await archiveAll(world);
    const sentBefore = world.server.webhooks.length;
    expect(await redeliver(world, eventId)).toEqual({ kind: 'queued' });
    await world.settle();
    expect(world.server.webhooks.slice(sentBefore).map((call) => call.json)).toEqual([event?.body]);
    const after = await shown(world, 'in_recovered');
    expect({ ...after.view, deliveries: [] }).toEqual({ ...before.view, deliveries: [] });
    expect(after.view.deliveries.map(({ tries }) => tries)).toEqual([2, 1, 1]);
    expect(await counts(world)).toMatchObject({ archived: 1 });
  });

  it('comes back for its merchant behind the wall, and for no other', async () => {
    const world = await endedWorld();
    const eventId = await firstEvent(world);
    await archiveAll(world);
    const other = await world.addMerchant();
    const walled = openMerchantDatabases(
      { log: { warn() {} } },
      { connectionString: world.connectionString, poolSize: 2, perSender: 2 },
    );
    try {
      const redeliverAs = (of: string, merchantId: string) =>
        walled.of(of).transaction((tx) => redeliverEvent(tx, { merchantId, eventId, at: later }));
      const { merchantId } = world;
      expect(await redeliverAs(other.merchantId, merchantId)).toEqual({ kind: 'not_found' });
      expect(await redeliverAs(merchantId, merchantId)).toEqual({ kind: 'queued' });
      expect(await counts(world)).toMatchObject({ archived: 1 });
    } finally {
      await walled.close();
    }
  });

  it('comes back when its PSP says of late that a charge of it succeeded', async () => {
    const told = async (isArchived: boolean) => {
      const world = await endedWorld();
      if (isArchived) await archiveAll(world);
      const [charge] = await world.rows<{ key: string }>(
        `select idempotency_key as key from psp_transactions
         where invoice_id = 'in_exhausted' order by sent_at limit 1`,
      );
      const taken = await takeAnswer(world.deps, {
        merchantId: world.merchantId,
        idempotencyKey: charge?.key ?? 'none',
        result: { kind: 'succeeded', pspTransactionId: 'ch_late' },
      });
      const { attempts, status } = await world.payment('in_exhausted');
      const incidents = await world.rows('select kind, psp, ours, theirs from incidents');
      const broken = (await breaches(world)).map(({ name, breaches }) => [name, breaches]);
      const { archived } = (await counts(world)) ?? {};
      const decisions = attempts.map(({ decision, check, number }) => ({
        decision,
        check,
        number,
      }));
      await world.close();
      return {
        taken,
        status,
        incidents: incidents.length,
        broken,
        archived,
        decisions: decisions.length,
      };
    };
    const live = await told(false);
    expect(live).toMatchObject({ taken: 'incident', incidents: 1, archived: 0 });
    expect(await told(true)).toEqual({ ...live, archived: 1 });
  });

  it('says nothing new to an answer that it knows, and stays', async () => {
    const world = await endedWorld();
    await archiveAll(world);
    const [charge] = await world
      .ledger('in_recovered')
      .then((all) => all.filter(({ status }) => status === 'succeeded'));
    const [row] = await world.rows<{ key: string }>(
      `select idempotency_key as key from psp_transactions where invoice_id = 'in_recovered' and state = 'succeeded'`,
    );
    const answer = {
      merchantId: world.merchantId,
      idempotencyKey: row?.key ?? 'none',
      result: { kind: 'succeeded', pspTransactionId: charge?.id ?? 'none' },
    } as const;
    expect(await takeAnswer(world.deps, answer)).toBe('says_nothing_new');
    expect(await counts(world)).toMatchObject({ archived: 2 });
  });
});

describe('beside others', () => {
  it('a webhook that is asked for while its payment is looked at is sent', async () => {
    const world = await endedWorld();
    const { db, merchantId } = world;
    const eventId = await firstEvent(world);
    const sentBefore = world.server.webhooks.length;
    let archiving: Promise<number> | undefined;
    await db.transaction(async (tx) => {
      await redeliverEvent(tx, { merchantId, eventId, at: world.clock.now() });
      archiving = archiveAll(world);
      await vi.waitUntil(async () => (await waiting(world)) > 0, { timeout: 10_000, interval: 5 });
    });
    await archiving;
    expect(await counts(world)).toMatchObject({ archived: 1 });
    await world.settle();
    expect(world.server.webhooks.length).toBe(sentBefore + 1);
  });

  it('a payment that somebody holds is left alone', async () => {
    const world = await endedWorld();
    await world.db.transaction(async (tx) => {
      const text = `select 1 from payments where invoice_id = 'in_exhausted' for update`;
      await tx.query({ name: 'hold_for_test', text }, []);
      await archiveAll(world);
    });
    expect(await counts(world)).toMatchObject({ archived: 1 });
    expect((await world.payment('in_exhausted')).deliveries).not.toEqual([]);
  });

  it('what fails half-way leaves everything as it was', async () => {
    const world = await endedWorld();
    const before = await shown(world, 'in_recovered');
    await world.rows(
      'alter table archive_progress add constraint planted check (through_sequence < 0) not valid',
    );
    await expect(archiveAll(world)).rejects.toThrow('planted');
    await world.rows('alter table archive_progress drop constraint planted');
    expect(await counts(world)).toMatchObject({ archived: 0, events: 8 });
    expect(await archiveAll(world)).toBe(3);
    expect(await shown(world, 'in_recovered')).toEqual(before);
  });
});

/** Statements that wait for a lock. */
const waiting = async (world: EngineWorld): Promise<number> => {
  const [row] = await world.rows<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.n ?? 0;
};

describe('the event log', () => {
  it('begins after what is in the archive, and goes on without a gap', async () => {
    const world = await endedWorld();
    const { db, merchantId } = world;
    const last = (await world.events()).at(-1)?.sequence ?? 0n;
    await archiveAll(world);
    expect(await world.events()).toEqual([]);
    expect(await followEvents(db, { merchantId, limit: 10 })).toEqual({
      items: [],
      cursor: last.toString(),
    });
    // One that is put back is no new event.
    await redeliver(world, (await world.payment('in_recovered')).deliveries[0]?.eventId ?? '');
    await world.runUntil(addMs(world.clock.now(), 3 * dayMs));
    const page = await listEvents(db, { merchantId, limit: 10, cursor: '0' });
    expect(page.items.map(({ sequence }) => sequence)).toEqual([last + 1n, last + 2n]);
    const followed = await followEvents(db, { merchantId, limit: 10, after: '0' });
    expect(followed.items.map(({ sequence }) => BigInt(sequence))).toEqual([last + 1n, last + 2n]);
  });
});

describe('what stays out of the archive', () => {
  const stays = async (change: (world: EngineWorld) => Promise<unknown>) => {
    const world = await endedWorld();
    await change(world);
    await archiveAll(world);
    const archived = await world.rows<{ invoice_id: string }>(
      'select invoice_id from archived_payments order by 1',
    );
    return archived.map((row) => row.invoice_id);
  };

  it('payments that were changed since', async () => {
    const world = await endedWorld();
    const step = { before: addMs(worldStart, 20 * dayMs), at: world.clock.now() };
    expect(await archivePayments(world.db, step)).toBe(1);
    expect(await archivePayments(world.db, step)).toBe(0);
    expect((await world.payment('in_exhausted')).updatedAt > step.before).toBe(true);
    expect(await counts(world)).toMatchObject({ archived: 1 });
  });

  it.each([
    [
      'one that is set aside',
      `update payments set set_aside_at = now(), set_aside_reason = 'x' where invoice_id = 'in_exhausted'`,
    ],
    [
      'one whose webhook is on its way',
      `update deliveries set state = 'pending', next_attempt_at = now() where event_id in (select event_id from events where invoice_id = 'in_exhausted')`,
    ],
    [
      'one whose webhook is on its way to a further endpoint',
      `update endpoint_deliveries set state = 'pending', next_attempt_at = now() where event_id in (select event_id from events where invoice_id = 'in_exhausted')`,
    ],
    [
      'one whose webhook was sent again of late',
      `update deliveries set last_sent_at = '2100-01-01' where event_id in (select event_id from events where invoice_id = 'in_exhausted')`,
    ],
    [
      'one with an incident',
      `insert into incidents (merchant_id, incident_id, kind, subject, invoice_id, psp, charge, detail, opened_at) values ('mer_test_1', 'inc_1', 'two_successes', 's', 'in_exhausted', 'sandbox', 'k', 'd', now())`,
    ],
    [
      'one with a charge that contradicts',
      `update psp_transactions set contradicts = true where invoice_id = 'in_exhausted'`,
    ],
    [
      'one whose merchant moves',
      `insert into merchant_moves (merchant_id, move_id, state, to_cell, recovery_url, disputes_url, begun_at) values ('mer_test_1', 'mov_1', 'draining', 'b', 'http://b', 'http://b', now())`,
    ],
  ])('%s', async (_, change) => {
    const archived = await stays((world) => world.rows(change));
    expect(archived).toEqual(archived.filter((id) => id !== 'in_exhausted'));
    expect(archived.length).toBe(change.includes('merchant_moves') ? 0 : 1);
  });
});

describe('a month', () => {
  it('has a table of its own, which takes what came before it', async ({ skip }) => {
    const world = await endedWorld();
    skip(await isOnCitus(world.db.pool), 'a node of Citus makes no tables');
    await archiveAll(world);
    const tables = () =>
      world.rows(
        `select tableoid::regclass::text as name, count(*)::int as rows from archived_payments group by 1`,
      );
    expect(await tables()).toEqual([{ name: 'archived_payments_2026_03', rows: 2 }]);
    await world.rows(
      `insert into archived_payments select merchant_id, invoice_id, '2031-05-01', ids, packed from archived_payments`,
    );
    expect(await tables()).toContainEqual({ name: 'archived_payments_rest', rows: 2 });
    await world.rows(`select make_archive_month('2031-05-01')`);
    expect(await tables()).toContainEqual({ name: 'archived_payments_2031_05', rows: 2 });
  });
});
