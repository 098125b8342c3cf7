import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { archivePayments } from '../../../src/store/archive/archive-payments.ts';
import { mergeDebts } from '../../../src/store/debts/merge-debts.ts';
import { findDeliveries } from '../../../src/store/disputes/evidence/known-events.ts';
import { armOf } from '../../../src/store/reports/assignment.ts';
import { followEvents } from '../../../src/store/reports/follow-events.ts';
import {
  findOperatorDelivery,
  listOperatorDeliveries,
} from '../../../src/store/reports/operator-deliveries.ts';
import { listOperatorPayments } from '../../../src/store/reports/operator-payments.ts';
import { listEvents, redeliverEvent } from '../../../src/store/views/event-views.ts';
import { listPayments } from '../../../src/store/views/payment-views.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { changeSchema } from '../../kits/change-schema.ts';
import { isOnCitus } from '../../kits/cluster/empty-shards.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { untilLockWaits } from '../../kits/lock-waits.ts';
import { openTransaction } from '../../kits/open-transaction.ts';
import {
  archiveAll,
  breaches,
  counts,
  endedWorld,
  firstEvent,
  redeliver,
  shown,
} from './archived-world.ts';

const engineWorld = useEngineWorld();

describe('a payment in the archive', () => {
  it('is shown as before, by itself and in lists', async () => {
    const world = await endedWorld(engineWorld);
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

  it('names the invoices that it was reported under too, and so do they', async () => {
    const world = await endedWorld(engineWorld);
    const { db, merchantId } = world;
    const invoiceIds = ['in_recovered', 'in_exhausted'];
    await db.transaction((tx) => mergeDebts(tx, { merchantId, invoiceIds, at: world.clock.now() }));
    const all = () => Promise.all(invoiceIds.map((id) => world.payment(id)));
    const before = await all();
    expect(before.map((view) => view.joinedInvoiceIds)).toContainEqual(['in_exhausted']);
    await archiveAll(world);
    expect(await counts(world)).toMatchObject({ archived: 2 });
    expect(await all()).toEqual(before);
  });

  it('keeps nothing of what servers answered to its webhooks', async () => {
    const world = await endedWorld(engineWorld);
    await world.rows(`update deliveries set last_answer = 'for jane'`);
    await world.rows(`update endpoint_deliveries set last_answer = 'for jane'`);
    await world.rows(
      `insert into delivery_tries (merchant_id, event_id, number, sent_at, status, duration_ms, answer)
       select merchant_id, event_id, 100, created_at, 500, 1, 'for jane' from deliveries`,
    );
    const before = await shown(world, 'in_recovered');
    expect(JSON.stringify(before)).toContain('for jane');
    await archiveAll(world);
    const after = await shown(world, 'in_recovered');
    const without = JSON.stringify(before).replaceAll(/,"(answer|lastAnswer)":"for jane"/g, '');
    expect(JSON.parse(JSON.stringify(after))).toEqual(JSON.parse(without));
    expect(without).toContain('"status":500');
    expect(without).not.toContain('for jane');
  });

  it('is of the arm that it was of', async () => {
    const world = await endedWorld(engineWorld);
    const moved = `decision || '{"arm": "learned", "payment_arm": "holdout"}'`;
    await world.rows(`update payments set decision = ${moved} where state <> 'scheduled'`);
    const arms = () =>
      world.rows(`select invoice_id, ${armOf('p')} as arm from payments p order by 1`);
    const before = await arms();
    expect(before.map(({ arm }) => arm)).toEqual(['holdout', 'none', 'holdout']);
    await archiveAll(world);
    expect(await arms()).toEqual(before);
  });

  it('keeps every promise, and adds nothing to any total', async () => {
    const world = await endedWorld(engineWorld);
    expect(await breaches(world)).toEqual([]);
    expect(await archiveAll(world)).toBe(3);
    expect(await breaches(world)).toEqual([]);
    await redeliver(world, await firstEvent(world));
    await world.settle();
    expect(await breaches(world)).toEqual([]);
  });

  it('says what is wrong still: a charge that is gone, a webhook that is lost since', async () => {
    const world = await endedWorld(engineWorld);
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
});

describe('beside others', () => {
  it('a webhook that is asked for while its payment is looked at is sent', async () => {
    const world = await endedWorld(engineWorld);
    const { db, merchantId } = world;
    const eventId = await firstEvent(world);
    const sentBefore = world.server.webhooks.length;
    let archiving: Promise<number> | undefined;
    await db.transaction(async (tx) => {
      await redeliverEvent(tx, { merchantId, eventId, at: world.clock.now() });
      archiving = archiveAll(world);
      await untilLockWaits((text) => world.rows(text));
    });
    await archiving;
    expect(await counts(world)).toMatchObject({ archived: 1 });
    await world.settle();
    expect(world.server.webhooks.length).toBe(sentBefore + 1);
  });

  it('a payment that somebody holds is left alone', async () => {
    const world = await endedWorld(engineWorld);
    await world.db.transaction(async (tx) => {
      const text = `select 1 from payments where invoice_id = 'in_exhausted' for update`;
      await tx.query({ name: 'hold_for_test', text }, []);
      await archiveAll(world);
    });
    expect(await counts(world)).toMatchObject({ archived: 1 });
    expect((await world.payment('in_exhausted')).deliveries).not.toEqual([]);
  });

  it('what fails half-way leaves everything as it was', async () => {
    const world = await endedWorld(engineWorld);
    const before = await shown(world, 'in_recovered');
    const alter = (what: string) =>
      changeSchema(world.connectionString, `alter table archive_progress ${what}`);
    await alter('add constraint planted check (through_sequence < 0) not valid');
    await expect(archiveAll(world)).rejects.toThrow('planted');
    await alter('drop constraint planted');
    expect(await counts(world)).toMatchObject({ archived: 0, events: 8 });
    expect(await archiveAll(world)).toBe(3);
    expect(await shown(world, 'in_recovered')).toEqual(before);
  });
});

describe('the event log', () => {
  it('begins after what is in the archive, and goes on without a gap', async () => {
    const world = await endedWorld(engineWorld);
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
    const world = await endedWorld(engineWorld);
    await change(world);
    await archiveAll(world);
    const archived = await world.rows<{ invoice_id: string }>(
      'select invoice_id from archived_payments order by 1',
    );
    return archived.map((row) => row.invoice_id);
  };

  it('payments that were changed since, whose webhooks may be older', async () => {
    const world = await endedWorld(engineWorld);
    const step = { before: addMs(worldStart, 20 * dayMs), at: world.clock.now() };
    expect(await archivePayments(world.db, step)).toBe(1);
    expect(await archivePayments(world.db, step)).toBe(0);
    expect((await world.payment('in_exhausted')).updatedAt > step.before).toBe(true);
    expect(await counts(world)).toMatchObject({ archived: 1 });
    const through = async () => {
      const [row] = await world.rows<{ sequence: string }>(
        'select through_sequence as sequence from archive_progress',
      );
      return Number(row?.sequence);
    };
    const early = await through();
    await archiveAll(world);
    const late = await through();
    expect(late).toBeGreaterThan(early);
    await world.rows(`update archive_progress set through_sequence = ${late + 5}`);
    await world.rows(`update history_trims set through_at = '-infinity'`);
    await redeliver(world, await firstEvent(world));
    await world.settle();
    await archiveAll(world);
    expect(await through()).toBe(late + 5);
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
      'one of which a webhook tells something new',
      `update events set created_at = '2100-01-01' where invoice_id = 'in_exhausted' and type = 'end_of_dunning'`,
    ],
    [
      'one with an incident',
      `insert into incidents (merchant_id, incident_id, kind, subject, invoice_id, psp, charge, detail, opened_at) values ('mer_test_1', 'inc_1', 'two_successes', 's', 'in_exhausted', 'sandbox', 'k', 'd', now())`,
    ],
    [
      'one with a charge that contradicts',
      `with opened as (
         insert into attempts
         select merchant_id, attempt_id, invoice_id, number, state, decision, check_answer, amount_minor, currency, started_at, ended_at
         from recorded_attempts where invoice_id = 'in_exhausted')
       update psp_transactions
       set contradicts = true, attempt_started_at = null, check_answer = null, attempt_number = null, attempt_decision = null
       where invoice_id = 'in_exhausted'`,
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

describe('a merchant on the way to another cell', () => {
  const moves = (state: string) => `
    insert into merchant_moves (merchant_id, move_id, state, to_cell, recovery_url, disputes_url, begun_at, moved_at)
    values ('mer_test_1', 'mov_1', '${state}', 'b', 'http://b', 'http://b', now(), ${state === 'moved' ? 'now()' : 'null'})`;
  const through = async (world: EngineWorld) =>
    (
      await world.rows<{ at: Date }>(
        `select through_at as at from history_trims where name = 'payments'`,
      )
    )[0]?.at;

  it('has its payments in the archive once it is back, and those of others come to theirs meanwhile', async () => {
    const world = await endedWorld(engineWorld);
    await world.rows(moves('draining'));
    const { merchantId: other } = await world.addMerchant();
    await world.rows(
      `update payments set merchant_id = $1, updated_at = $2 where invoice_id = 'in_open'`,
      [other, worldStart],
    );
    await world.rows(
      `update payments set state = 'stopped', stop_reason = 'merchant_stop', next_attempt_at = null, due_action = null where invoice_id = 'in_open'`,
    );
    await archiveAll(world);
    expect(await world.rows('select merchant_id from archived_payments')).toEqual([
      { merchant_id: other },
    ]);
    await world.rows('delete from merchant_moves');
    await archiveAll(world);
    expect(await counts(world)).toMatchObject({ archived: 3 });
  });

  it('holds nobody up once it has left', async () => {
    const world = await endedWorld(engineWorld);
    await world.rows(moves('moved'));
    await archiveAll(world);
    expect(await counts(world)).toMatchObject({ archived: 0 });
    const [last] = await world.rows<{ at: Date }>('select max(updated_at) as at from payments');
    expect(await through(world)).toEqual(last?.at);
  });
});

describe('a month', () => {
  it('has a table of its own, which takes what came before it', async ({ skip }) => {
    const world = await endedWorld(engineWorld);
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

  it('is made later where somebody reads the archive for long: everybody would wait for it', async ({
    skip,
  }) => {
    const world = await endedWorld(engineWorld);
    skip(await isOnCitus(world.db.pool), 'a node of Citus makes no tables');
    const tables = () =>
      world.rows(
        `select tableoid::regclass::text as name, count(*)::int as rows from archived_payments group by 1`,
      );
    await world.rows('drop table if exists archived_payments_2026_03');
    // As a backup does, or the last step of a move.
    await using reader = await openTransaction(world.db);
    await reader.query({ name: 'read_archive', text: 'select from archived_payments' }, []);
    await archiveAll(world);
    expect(await tables()).toEqual([{ name: 'archived_payments_rest', rows: 2 }]);
    await reader.rollback();
    await world.rows(`select make_archive_month('2026-03-01')`);
    expect(await tables()).toEqual([{ name: 'archived_payments_2026_03', rows: 2 }]);
  });
});
