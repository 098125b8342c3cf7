import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InvariantView } from '../../../src/recovery/accounting/accounting-ports.ts';
import type { Database } from '../../../src/store/database.ts';
import { checkPages, createCheckStore } from '../../../src/store/invariants/check-store.ts';
import { checkEverything } from '../../kits/check-everything.ts';
import { isOnCitus } from '../../kits/cluster/empty-shards.ts';
import { asLegacyCharges } from '../../kits/legacy-charges.ts';
import { untilLockWaits } from '../../kits/lock-waits.ts';
import { openReportDatabase } from '../reports/report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment } from '../reports/seed.ts';

let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
  for (const merchantId of ['mer_a', 'mer_b']) {
    const payment = (invoiceId: string, columns: Record<string, unknown>) =>
      seedPayment(db, { merchantId, invoiceId, ...columns });
    const attempt = (
      invoiceId: string,
      number: number,
      state: 'succeeded' | 'declined' | 'unknown' | 'not_attempted',
      sequence?: number,
    ) =>
      seedAttempt(db, {
        merchantId,
        invoiceId,
        number,
        state,
        ...(sequence === undefined ? {} : { sequence }),
      });
    await seedMerchant(db, merchantId);
    await payment('in_recovered', { state: 'attempting' });
    await attempt('in_recovered', 1, 'declined', 1);
    await attempt('in_recovered', 2, 'succeeded', 2);
    await db.pool.query(
      `update payments set state = 'recovered' where merchant_id = $1 and invoice_id = $2`,
      [merchantId, 'in_recovered'],
    );
    await payment('in_scheduled', {});
    await attempt('in_scheduled', 1, 'declined', 3);
    await attempt('in_scheduled', 2, 'not_attempted');
    await payment('in_unknown', { state: 'attempting' });
    await attempt('in_unknown', 1, 'unknown');
    await payment('in_stopped', { state: 'stopped', stop_reason: 'merchant_stop' });
    await payment('in_new', { next_attempt_at: null, due_action: null });
    await db.pool.query(
      `insert into requests (merchant_id, uuid, kind, body, received_at, next_attempt_at)
       values ($1, gen_random_uuid(), 'payment', '{"invoice":{"id":"in_new"}}', $2, $2)`,
      [merchantId, minute(1)],
    );
  }
});
afterAll(() => db.close());

/** Days after everything that is seeded. */
const afterwards = minute(4 * 1440);

/** What the check says after these statements, which are then undone. */
async function checkAfter(statements: readonly string[]): Promise<readonly InvariantView[]> {
  return undone(async (inside, run) => {
    for (const statement of statements) await run(statement);
    return checkEverything(inside, afterwards);
  });
}

/** Runs `work` on a database whose changes are then taken back. */
async function undone<Result>(
  work: (inside: Database, run: (text: string) => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const client = await db.pool.connect();
  try {
    await client.query('begin');
    const query = async <Row>(statement: { text: string }, values: readonly unknown[]) =>
      (await client.query(statement.text, [...values])).rows as Row[];
    const inside: Database = { ...db, query, transaction: (step) => step({ query }) };
    return await work(inside, (text) => client.query(text));
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const broken = (views: readonly InvariantView[]) =>
  Object.fromEntries(
    views.filter((view) => view.breaches > 0).map((view) => [view.name, view.breaches]),
  );

const dropSuccess =
  'drop index psp_transactions_one_success; drop index attempts_one_success; drop index events_one_per_attempt';
const dropOpen = 'drop index attempts_one_open; drop index psp_transactions_one_in_flight';
const copyCharge = (state: string, ordinal: number) => `
  insert into psp_transactions
  select (jsonb_populate_record(t, jsonb_build_object('ordinal', ${ordinal}, 'idempotency_key', 'k'))).*
  from psp_transactions t where state = '${state}' and merchant_id = 'mer_a'`;
const drop = (table: string, constraint: string) =>
  `alter table ${table} drop constraint ${constraint}`;

describe('the promises', () => {
  it('are all kept in a healthy database, and each says what it promises', async () => {
    const views = await checkEverything(db, afterwards);
    expect(views).toHaveLength(17);
    expect(broken(views)).toEqual({});
    for (const { name, promise } of views) {
      expect(name).toMatch(/^[a-z_]+$/);
      expect(promise).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('are all kept in an empty database', async () => {
    expect(broken(await checkAfter(['truncate merchants, control_totals cascade']))).toEqual({});
  });

  const breaches: [string, Record<string, number>, string[]][] = [
    [
      'two successes of an invoice',
      { one_success_per_invoice: 1, captured_within_owed: 1, successes_agree: 1 },
      [dropSuccess, copyCharge('succeeded', 2)],
    ],
    [
      'two open attempts',
      { one_open_attempt_per_invoice: 1 },
      [
        dropOpen,
        `insert into attempts (merchant_id, attempt_id, invoice_id, number, state, started_at)
         values ('mer_a', 'att_2', 'in_unknown', 2, 'checking', now())`,
      ],
    ],
    [
      'two charges on their way',
      { one_charge_in_flight_per_invoice: 1 },
      [dropOpen, copyCharge('unknown', 2)],
    ],
    [
      'a charge without a yes',
      { no_charge_without_yes: 2 },
      [
        drop('attempts', 'attempts_charge_needs_a_yes'),
        `update attempts set check_answer = null where state = 'succeeded' and merchant_id = 'mer_a'`,
        `update attempts set check_answer = '{"retry":false}' where state = 'unknown' and merchant_id = 'mer_a'`,
      ],
    ],
    [
      'a charge of more than the merchant said yes to',
      { no_charge_without_yes: 3, totals_are_kept: 1, successes_agree: 1 },
      [
        `update attempts set amount_minor = 999 where state = 'succeeded' and merchant_id = 'mer_a'`,
        `update attempts set currency = 'USD' where state = 'unknown' and merchant_id = 'mer_a'`,
        `update attempts set amount_minor = null where state = 'unknown' and merchant_id = 'mer_b'`,
      ],
    ],
    [
      'a charge that was sent before the question',
      { no_charge_without_yes: 2 },
      [`update attempts set started_at = '${minute(60).toISOString()}' where state = 'succeeded'`],
    ],
    [
      'a charge without a card',
      { charges_are_counted: 1 },
      [
        `update psp_transactions set card_key = null, network = null, credential = null
         where state = 'unknown' and merchant_id = 'mer_a'`,
      ],
    ],
    [
      'a charge with a second place in its history',
      { charges_are_counted: 1 },
      [
        `insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network, initiator,
           credential, payment_method_id, invoice_id, amount_minor, currency, outcome, at, is_legacy)
         select merchant_id, charge_ref, card_key, acceptor, origin, network, initiator, credential,
           payment_method_id, invoice_id, amount_minor, currency, outcome, at, true
         from card_histories where outcome = 'approved' and merchant_id = 'mer_a'`,
      ],
    ],
    [
      'charges from before that no card remembers, or otherwise, and one that was never made',
      { charges_are_counted: 4 },
      [
        ...asLegacyCharges,
        `delete from card_attempts where outcome = 'sent' and merchant_id = 'mer_a'`,
        `update card_attempts set charge_ref = 'other' where outcome = 'approved' and merchant_id = 'mer_a'`,
        `update card_attempts set outcome = 'approved' where outcome = 'sent' and merchant_id = 'mer_b'`,
      ],
    ],
    [
      'more captured than owed, or in another currency',
      { captured_within_owed: 2 },
      [
        `update payments set amount_minor = 999 where state = 'recovered' and merchant_id = 'mer_a'`,
        `update payments set currency = 'USD' where state = 'recovered' and merchant_id = 'mer_b'`,
      ],
    ],
    [
      'a recovery without a success, and a success without recovery',
      { recovered_is_charged: 2, successes_agree: 2 },
      [
        `update payments set state = 'exhausted' where state = 'recovered' and merchant_id = 'mer_a'`,
        `update payments set state = 'recovered' where state = 'stopped' and merchant_id = 'mer_b'`,
      ],
    ],
    [
      'a result without an event',
      { one_event_per_result: 1, event_sequences_without_gaps: 1 },
      [
        `delete from delivery_tries where event_id = 'evt_att_in_scheduled_1' and merchant_id = 'mer_a'`,
        `delete from deliveries where event_id = 'evt_att_in_scheduled_1' and merchant_id = 'mer_a'`,
        `delete from events where event_id = 'evt_att_in_scheduled_1' and merchant_id = 'mer_a'`,
      ],
    ],
    [
      'an event of an attempt that reached nobody, and of one that is not there',
      { one_event_per_result: 4 },
      [
        `update events set attempt_id = 'att_in_scheduled_2' where attempt_id = 'att_in_scheduled_1' and merchant_id = 'mer_a'`,
        `update events set attempt_id = 'att_none' where attempt_id = 'att_in_scheduled_1' and merchant_id = 'mer_b'`,
      ],
    ],
    [
      'two events of a result',
      {
        one_event_per_result: 1,
        event_sequences_without_gaps: 1,
        events_are_delivered_or_on_their_way: 1,
        events_are_accounted: 1,
      },
      [
        dropSuccess,
        `insert into events select merchant_id, event_id || 'b', 4, type, invoice_id, attempt_id, body, created_at
         from events where attempt_id = 'att_in_scheduled_1' and merchant_id = 'mer_a'`,
      ],
    ],
    [
      'an event without a delivery',
      { events_are_delivered_or_on_their_way: 1, events_are_accounted: 1 },
      [
        `delete from delivery_tries where event_id = 'evt_att_in_scheduled_1' and merchant_id = 'mer_a'`,
        `delete from deliveries where event_id = 'evt_att_in_scheduled_1' and merchant_id = 'mer_a'`,
      ],
    ],
    [
      "an event's amount that is not the charge's",
      { events_tell_what_was_charged: 1, successes_agree: 1 },
      [
        `update events set body = replace(body, '10', '9.99') where attempt_id = 'att_in_recovered_2' and merchant_id = 'mer_a'`,
      ],
    ],
    [
      'what was changed past the triggers',
      {
        recovered_is_charged: 1,
        events_tell_what_was_charged: 1,
        one_event_per_result: 1,
        totals_are_kept: 2,
        successes_agree: 1,
      },
      [
        'alter table psp_transactions disable trigger user',
        `delete from psp_transactions where state = 'succeeded' and merchant_id = 'mer_a'`,
        `update attempts set state = 'not_attempted' where state = 'succeeded' and merchant_id = 'mer_a'`,
      ],
    ],
    [
      'a pending delivery that nobody will send',
      { events_are_delivered_or_on_their_way: 1 },
      [
        drop('deliveries', 'deliveries_due_while_pending'),
        `update deliveries set state = 'pending' where event_id = 'evt_att_in_scheduled_1' and merchant_id = 'mer_a'`,
      ],
    ],
    [
      'a gap in a sequence',
      { event_sequences_without_gaps: 6 },
      [
        `update events set sequence = 9 where sequence = 3 and merchant_id = 'mer_a'`,
        `update event_counters set last_sequence = 9 where merchant_id = 'mer_a'`,
      ],
    ],
    [
      'events without their counter',
      { event_sequences_without_gaps: 3 },
      [`delete from event_counters where merchant_id = 'mer_a'`],
    ],
    [
      'an ended payment with work due or an attempt open',
      { final_payments_are_idle: 2 },
      [
        drop('payments', 'payments_final_is_idle'),
        `update payments set next_attempt_at = now(), due_action = 'plan' where state = 'stopped' and merchant_id = 'mer_a'`,
        `update payments set state = 'exhausted' where state = 'attempting' and merchant_id = 'mer_b'`,
      ],
    ],
    [
      'an open payment that nobody looks at again',
      { open_payments_are_not_forgotten: 2 },
      [
        `update requests set state = 'applied', next_attempt_at = null where merchant_id = 'mer_a'`,
        `update payments set next_attempt_at = null where invoice_id = 'in_scheduled' and merchant_id = 'mer_b'`,
      ],
    ],
  ];
  it.for(breaches)('show %s', async ([_, expected, statements], { skip }) => {
    const changesTables = statements.some((text) => /^(alter|drop) /.test(text));
    skip(changesTables && (await isOnCitus(db.pool)), 'a node of Citus changes no tables');
    expect(broken(await checkAfter(statements))).toEqual(expected);
  });
});

describe('a check', () => {
  it('goes on after a crash where its last page was committed, and counts nothing twice', async () => {
    await undone(async (inside, run) => {
      await run(`update events set body = replace(body, '10', '9.99')`);
      const pages = { ...checkPages, invoices: 1, cards: 1, sequences: 1, merchants: 1 };
      const { checkId } = await createCheckStore(inside, pages).begin({
        checkId: 'chk_1',
        at: afterwards,
      });
      let steps = 0;
      for (let ended = false; !ended; steps += 1) {
        // As another process would, which knows nothing but the rows.
        const store = createCheckStore(inside, pages);
        expect(await store.begin({ checkId: 'chk_other', at: afterwards })).toMatchObject({
          checkId,
        });
        ({ ended } = await store.step({ at: afterwards }));
      }
      expect(steps).toBeGreaterThan(20);
      const paged = await createCheckStore(inside).find(checkId);
      expect(paged?.items.filter((item) => item.breaches > 0)).toMatchObject([
        { name: 'events_tell_what_was_charged', breaches: 2 },
      ]);
      const { items, rowsRead } = paged ?? {};
      await createCheckStore(inside).begin({ checkId: 'chk_2', at: afterwards });
      for (let ended = false; !ended; ) {
        ({ ended } = await createCheckStore(inside).step({ at: afterwards }));
      }
      expect(await createCheckStore(inside).find('chk_2')).toMatchObject({ items, rowsRead });
    });
  });

  it('that another process begins just then is the one that is asked for', async () => {
    const values = ['chk_first', afterwards];
    const first = await db.pool.connect();
    try {
      await first.query('begin');
      await first.query(
        `insert into invariant_checks (check_id, state, phase, place, closed_before, started_at, updated_at)
         values ($1, 'running', 'invoices', '{"",""}', utc_day($2::timestamptz), $2, $2)`,
        values,
      );
      const second = createCheckStore(db).begin({ checkId: 'chk_second', at: afterwards });
      const waits = untilLockWaits(async (text) => (await db.pool.query(text)).rows);
      await Promise.race([waits, second]);
      await first.query('commit');
      expect(await second).toMatchObject({ checkId: 'chk_first' });
    } finally {
      first.release();
      await db.pool.query(`delete from invariant_checks where check_id like 'chk_%'`);
    }
  });

  it('mends totals that are not those of the rows, once', async () => {
    await undone(async (inside, run) => {
      await run(`insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
        values ('mer_a', '2026-03-01', 'sandbox', 1, 'EUR', 'charged', 2, 50)`);
      expect(broken(await checkEverything(inside, afterwards))).toEqual({ totals_are_kept: 1 });
      expect(broken(await checkEverything(inside, afterwards))).toEqual({});
    });
  });

  it('leaves days alone that are not over', async () => {
    await undone(async (inside, run) => {
      await run(`insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
        values ('mer_a', '2026-03-01', 'sandbox', 1, 'EUR', 'charged', 2, 50)`);
      const sameDay = minute(1_439 + 60);
      expect(broken(await checkEverything(inside, sameDay))).toEqual({ successes_agree: 1 });
      expect(broken(await checkEverything(inside, minute(1_440 + 60)))).toEqual({
        totals_are_kept: 1,
      });
    });
  });
});
