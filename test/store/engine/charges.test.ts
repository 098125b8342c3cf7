import { describe, expect, it } from 'vitest';
import { addMs, dayMs, minuteMs } from '../../../src/domain/clock.ts';
import { present } from '../../../src/domain/present.ts';
import type { BeginCharge, DuePayment } from '../../../src/recovery/engine-ports.ts';
import type { Queryable, Statement } from '../../../src/store/database.ts';
import { beginCharges } from '../../../src/store/engine/charges.ts';
import { recordOutcomes } from '../../../src/store/engine/outcomes.ts';
import { requestStop } from '../../../src/store/engine/stop-request.ts';
import { cardsOf, failedEvent, worldStart } from '../../kits/billing-events.ts';
import { addDispute } from '../../kits/dispute-row.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { insertRows } from '../../kits/insert-rows.ts';
import { untilLockWaits } from '../../kits/lock-waits.ts';
import { openTransaction } from '../../kits/open-transaction.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);

/** Payments that a worker has taken for their first try. */
async function claimed(count = 1): Promise<{ world: EngineWorld; due: readonly DuePayment[] }> {
  const world = await engineWorld();
  for (let index = 1; index <= count; index += 1) {
    const invoiceId = `in_${index}`;
    await world.submit(failedEvent({ invoiceId, methods: cardsOf(invoiceId) }));
  }
  await world.settle();
  world.clock.set(firstTry);
  return { world, due: await world.claimPayments() };
}

function chargeOf(due: DuePayment | undefined, change: Partial<BeginCharge> = {}): BeginCharge {
  if (due?.attempt === undefined) throw new Error('no attempt is open');
  const { payment, attempt } = due;
  return {
    merchantId: payment.merchantId,
    invoiceId: payment.invoiceId,
    fence: payment.fence,
    attemptId: attempt.attemptId,
    ordinal: 1,
    psp: payment.psp,
    idempotencyKey: `${attempt.attemptId}-1`,
    paymentMethodId: payment.methods[0]?.paymentMethodId ?? 'pm_none',
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    check: { retry: true, reason: 'open' },
    startedAt: attempt.startedAt,
    sentAt: firstTry,
    connectionVersion: 1,
    ...change,
  };
}

const inOrder = (due: readonly DuePayment[]): readonly DuePayment[] =>
  due.toSorted((a, b) => a.payment.invoiceId.localeCompare(b.payment.invoiceId));

const joinFirstToSecond = (world: EngineWorld) =>
  world.rows(`update payments set joined_to = 'in_2' where invoice_id = 'in_1'`);

const stop = (world: EngineWorld, invoiceId = 'in_1') =>
  requestStop(world.db, {
    merchantId: world.merchantId,
    invoiceId,
    reason: 'merchant_stop',
    at: firstTry,
  });

describe('a charge', () => {
  it('is committed as sending, with the yes that it stands under, before it is sent', async () => {
    const { world, due } = await claimed();
    expect(await beginCharges(world.db, [chargeOf(due[0])])).toEqual([{ kind: 'begun' }]);
    expect((await world.payment()).attempts).toMatchObject([
      {
        status: 'charging',
        amountMinor: 1223,
        check: { retry: true, reason: 'open' },
        transactions: [{ status: 'sending', ordinal: 1, sentAt: firstTry }],
      },
    ]);
  });

  it('is judged on the card that its worker read, and on what there is where a charge was begun since', async () => {
    const world = await engineWorld();
    for (const invoiceId of ['in_1', 'in_2']) {
      await world.submit(failedEvent({ invoiceId, methods: cardsOf('shared') }));
    }
    await world.settle();
    world.clock.set(firstTry);
    const due = inOrder(await world.claimPayments());
    const asked: string[] = [];
    const db: Queryable = {
      query<Row>(statement: Statement, values: readonly unknown[]) {
        asked.push(statement.name);
        return world.db.query<Row>(statement, values);
      },
    };
    const cardOf = (item: DuePayment | undefined) => item?.payment.methods[0]?.card;
    const [first, second] = due.map((item) => chargeOf(item, present({ card: cardOf(item) })));
    if (first === undefined || second === undefined) throw new Error('two were claimed');
    expect(second.card).toMatchObject({ version: expect.any(Number) });
    expect(await beginCharges(db, [first])).toEqual([{ kind: 'begun' }]);
    expect(asked).toEqual(['begin_charges']);
    expect(await beginCharges(db, [second])).toEqual([{ kind: 'begun' }]);
    expect(asked.slice(1)).toEqual(['begin_charges', 'read_cards', 'begin_charges']);
  });

  it('is not begun by a worker that lost its lease', async () => {
    const { world, due } = await claimed();
    const late = chargeOf(due[0], { fence: (due[0]?.payment.fence ?? 0) - 1 });
    expect(await beginCharges(world.db, [late])).toEqual([{ kind: 'lease_lost' }]);
    expect((await world.payment()).attempts).toEqual([]);
  });

  it('is not begun once a stop was asked for', async () => {
    const { world, due } = await claimed();
    expect(await stop(world)).toEqual({ chargeInFlight: false });
    expect(await beginCharges(world.db, [chargeOf(due[0])])).toEqual([{ kind: 'stopped' }]);
    expect((await world.payment()).attempts).toEqual([]);
  });

  it('is not begun once an incident froze its invoice', async () => {
    const { world, due } = await claimed();
    await world.rows(
      'update payments set frozen_at = $1, next_attempt_at = null, lease_until = null',
      [firstTry],
    );
    expect(await beginCharges(world.db, [chargeOf(due[0])])).toEqual([{ kind: 'stopped' }]);
  });

  it('is not begun by a recovery that was joined to another one of its debt', async () => {
    const { world, due } = await claimed(2);
    await joinFirstToSecond(world);
    const outcomes = await beginCharges(
      world.db,
      inOrder(due).map((item) => chargeOf(item)),
    );
    // Nor by that one, while this one is being attempted.
    expect(outcomes).toEqual([{ kind: 'stopped' }, { kind: 'stopped' }]);
  });

  it.each(['scheduled', 'stopped', 'exhausted', 'recovered'])(
    'is begun beside a recovery that was joined to its own and is %s, unless that paid the debt',
    async (state) => {
      const { world, due } = await claimed(2);
      await joinFirstToSecond(world);
      const reason = state === 'stopped' ? 'joined' : null;
      await world.rows(
        `update payments set state = $1, stop_reason = $2, due_action = null, next_attempt_at = null,
           lease_until = null
         where invoice_id = 'in_1'`,
        [state, reason],
      );
      const [outcome] = await beginCharges(world.db, [chargeOf(inOrder(due)[1])]);
      expect(outcome?.kind).toBe(state === 'recovered' ? 'stopped' : 'begun');
    },
  );

  it('is not begun beside another one of the same invoice', async () => {
    const { world, due } = await claimed();
    await beginCharges(world.db, [chargeOf(due[0])]);
    const second = chargeOf(due[0], { ordinal: 2, idempotencyKey: 'other' });
    await expect(beginCharges(world.db, [second])).rejects.toThrow(/one_in_flight/);
  });

  it('is not begun under a key that was used', async () => {
    const { world, due } = await claimed(2);
    const first = chargeOf(due[0]);
    await beginCharges(world.db, [first]);
    const second = chargeOf(due[1], { idempotencyKey: first.idempotencyKey });
    await expect(beginCharges(world.db, [second])).rejects.toThrow(/psp_transactions_key/);
  });

  it('says when the first and the last one under its key were sent that were never made', async () => {
    const { world, due } = await claimed();
    const [first, last] = [addMs(firstTry, -2 * dayMs), addMs(firstTry, -dayMs)];
    const charge = chargeOf(due[0]);
    for (const [index, sentAt] of [last, first].entries()) {
      const attemptId = `att_before_${index}`;
      await beginCharges(world.db, [{ ...charge, attemptId, sentAt, startedAt: sentAt }]);
      await world.rows(
        `insert into attempts (merchant_id, attempt_id, invoice_id, number, state, check_answer, started_at, ended_at)
         select merchant_id, attempt_id, invoice_id, $2, 'not_attempted', check_answer, sent_at, sent_at
         from psp_transactions where attempt_id = $1`,
        [attemptId, index + 1],
      );
      await world.rows(
        `update psp_transactions set state = 'not_made', settled_at = sent_at,
           attempt_started_at = null, check_answer = null, attempt_decision = null`,
      );
    }
    // Another merchant's under the same key says nothing of it.
    const { merchantId } = await world.addMerchant();
    for (const [table, change] of [
      ['payments', {}],
      ['attempts', {}],
      ['psp_transactions', { sent_at: addMs(first, -dayMs) }],
    ] as const) {
      const own = await world.rows<{ row: object }>(`select to_jsonb(t) as row from ${table} t`);
      const copies = own.map(({ row }) => ({ ...row, merchant_id: merchantId, ...change }));
      await insertRows(world.db.pool, table, copies);
    }
    expect(await beginCharges(world.db, [charge])).toEqual([
      { kind: 'begun', earlier: { firstSentAt: first, lastSentAt: last } },
    ]);
  });

  it.each([{ retry: false }, { retry: 'yes' }])('is not begun without a yes: %j', async (check) => {
    const { world, due } = await claimed();
    const begun = beginCharges(world.db, [chargeOf(due[0], { check })]);
    await expect(begun).rejects.toThrow(/charge_needs_a_yes/);
  });

  it('of an attempt that a charge carries is not begun', async () => {
    const { world, due } = await claimed();
    const first = chargeOf(due[0]);
    await beginCharges(world.db, [first]);
    await world.rows(
      `update psp_transactions set state = 'declined', settled_at = $1, attempt_number = 1`,
      [firstTry],
    );
    const second = chargeOf(due[0], { ordinal: 2, idempotencyKey: 'key_2' });
    expect(await beginCharges(world.db, [second])).toEqual([{ kind: 'lease_lost' }]);
  });

  it('of an attempt that has ended is not begun', async () => {
    const { world, due } = await claimed();
    const first = chargeOf(due[0]);
    await beginCharges(world.db, [first]);
    await world.rows(
      `insert into attempts (merchant_id, attempt_id, invoice_id, number, state, started_at, ended_at)
       values ($1, $2, 'in_1', 1, 'not_attempted', $3, $3)`,
      [world.merchantId, first.attemptId, firstTry],
    );
    await world.rows(
      `update psp_transactions
       set state = 'not_made', settled_at = $1, attempt_started_at = null, check_answer = null`,
      [firstTry],
    );
    const second = chargeOf(due[0], { ordinal: 2 });
    expect(await beginCharges(world.db, [second])).toEqual([{ kind: 'lease_lost' }]);
  });

  it('of a further method changes the attempt’s row, which the first one’s end has written', async () => {
    const { world, due } = await claimed();
    const [first] = due;
    if (first?.attempt === undefined) throw new Error('no attempt is open');
    const { payment, attempt } = first;
    await beginCharges(world.db, [chargeOf(first)]);
    const { attemptId, startedAt } = attempt;
    const check = { retry: true };
    await recordOutcomes(world.db, [
      {
        ...payment,
        at: firstTry,
        transaction: { attemptId, ordinal: 1, state: 'declined' },
        attempt: { attemptId, startedAt, state: 'charging', check },
        payment: {
          state: 'attempting',
          attemptCount: 0,
          postponements: 0,
          dueAction: 'attempt',
          nextAttemptAt: firstTry,
          leaseUntil: addMs(firstTry, minuteMs),
        },
        events: [],
      },
    ]);
    const less = {
      ordinal: 2,
      idempotencyKey: 'key_2',
      amountMinor: 1000,
      check: { retry: true, reason: 'less' },
    };
    expect(await beginCharges(world.db, [chargeOf(first, less)])).toEqual([{ kind: 'begun' }]);
    expect(
      await world.rows('select number, state, check_answer, amount_minor from attempts'),
    ).toEqual([{ number: 1, state: 'charging', check_answer: less.check, amount_minor: 1000 }]);
    expect(
      await world.rows('select ordinal, attempt_started_at from psp_transactions order by ordinal'),
    ).toEqual([
      { ordinal: 1, attempt_started_at: null },
      { ordinal: 2, attempt_started_at: null },
    ]);
  });

  it('that did not get its turn leaves its attempt as it is', async () => {
    const { world, due } = await claimed();
    const [first] = due;
    const charge = chargeOf(first);
    const card = first?.payment.methods[0]?.card;
    await world.rows(
      `insert into attempts (merchant_id, attempt_id, invoice_id, number, state, check_answer, started_at)
       values ($1, $2, 'in_1', 1, 'checking', '{"retry": true}', $3)`,
      [world.merchantId, charge.attemptId, firstTry],
    );
    // Told meanwhile: the card must not be charged any more.
    await world.rows(
      `update card_attempts set outcome = 'declined', network_code = '43', hard_decline = true`,
    );
    await world.rows('update cards set version = version + 1');
    const outcomes = await beginCharges(world.db, [{ ...charge, ...present({ card }) }]);
    expect(outcomes).toMatchObject([{ kind: 'blocked' }]);
    expect(await world.rows('select state from attempts')).toEqual([{ state: 'checking' }]);
  });

  it('of a batch is answered in its order, the refused among the begun', async () => {
    const { world, due } = await claimed(4);
    await stop(world, due[1]?.payment.invoiceId);
    const outcomes = await beginCharges(world.db, [
      chargeOf(due[3]),
      chargeOf(due[2], { fence: 99 }),
      chargeOf(due[1]),
      chargeOf(due[0]),
    ]);
    const kinds = outcomes.map(({ kind }) => kind);
    expect(kinds).toEqual(['begun', 'lease_lost', 'stopped', 'begun']);
  });
});

describe('a charge of a card that is disputed', () => {
  const methods = ['pm_sandbox_success'];
  async function ofCustomer(): Promise<{ world: EngineWorld; due: DuePayment | undefined }> {
    const world = await engineWorld();
    await world.submit(failedEvent({ pspCustomerId: 'cus_psp', methods }));
    await world.settle();
    await world.rows(
      `update payment_methods set fingerprint = 'fp_1', fingerprint_at = updated_at`,
    );
    world.clock.set(firstTry);
    const [due] = await world.claimPayments();
    return { world, due };
  }

  it.each([
    ['by its method', { paymentMethodId: 'pm_sandbox_success' }],
    [
      'by its fingerprint, under another method',
      { paymentMethodId: 'pm_x', cardFingerprint: 'fp_1' },
    ],
    ['by its customer alone', { pspCustomerId: 'cus_psp' }],
  ])('is not begun, though the dispute came after the claim: %s', async (_how, dispute) => {
    const { world, due } = await ofCustomer();
    await addDispute(world, dispute);
    expect(await beginCharges(world.db, [chargeOf(due)])).toEqual([{ kind: 'disputed' }]);
    expect(await world.rows('select 1 from psp_transactions')).toEqual([]);
  });

  it.each([
    ['one that was won', { paymentMethodId: 'pm_sandbox_success', status: 'won' }],
    ['one of another card', { paymentMethodId: 'pm_x', cardFingerprint: 'fp_x' }],
    ['one of another card of the customer', { paymentMethodId: 'pm_x', pspCustomerId: 'cus_psp' }],
    ['one of another customer', { pspCustomerId: 'cus_x' }],
    ['one at another PSP', { paymentMethodId: 'pm_sandbox_success', psp: 'stripe' }],
    ['one of a customer at another PSP', { pspCustomerId: 'cus_psp', psp: 'stripe' }],
  ] as const)('is begun beside %s', async (_what, dispute) => {
    const { world, due } = await ofCustomer();
    await addDispute(world, dispute);
    expect(await beginCharges(world.db, [chargeOf(due)])).toEqual([{ kind: 'begun' }]);
  });
});

describe('a charge and a stop at the same moment', () => {
  /** Runs `first` in a transaction that is open until `second` waits for it, or is over. */
  async function inTurn<First, Second>(
    world: EngineWorld,
    first: (db: Queryable) => Promise<First>,
    second: () => Promise<Second>,
  ): Promise<readonly [First, Second]> {
    await using open = await openTransaction(world.db);
    const done = await first(open);
    const following = second();
    await Promise.race([untilLockWaits((text) => world.rows(text)), following]);
    await open.commit();
    return [done, await following];
  }

  it('come one after the other: the stop waits for the charge, and sees it', async () => {
    const { world, due } = await claimed();
    const both = await inTurn(
      world,
      (db) => beginCharges(db, [chargeOf(due[0])]),
      () => stop(world),
    );
    expect(both).toEqual([[{ kind: 'begun' }], { chargeInFlight: true }]);
  });

  it('come one after the other: the charge waits for the stop, and is not begun', async () => {
    const { world, due } = await claimed();
    const { merchantId } = world;
    const request = {
      merchantId,
      invoiceId: 'in_1',
      reason: 'merchant_stop',
      at: firstTry,
    } as const;
    const both = await inTurn(
      world,
      (db) => requestStop(db, request),
      () => beginCharges(world.db, [chargeOf(due[0])]),
    );
    expect(both).toEqual([{ chargeInFlight: false }, [{ kind: 'stopped' }]]);
  });
});

describe('a stop that is asked for', () => {
  it('tells whether a charge is on its way', async () => {
    const { world, due } = await claimed();
    await beginCharges(world.db, [chargeOf(due[0])]);
    expect(await stop(world)).toEqual({ chargeInFlight: true });
  });

  it('is one: the first reason stays', async () => {
    const { world } = await claimed();
    await stop(world);
    const again = await requestStop(world.db, {
      merchantId: world.merchantId,
      invoiceId: 'in_1',
      reason: 'recovered_elsewhere',
      detail: 'again',
      at: firstTry,
    });
    expect(again).toEqual({ chargeInFlight: false });
    expect(await world.rows('select stop_reason, stop_detail, revision from payments')).toEqual([
      { stop_reason: 'merchant_stop', stop_detail: null, revision: 1 },
    ]);
  });

  it('is none of a payment that is not being attempted', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.settle();
    expect(await stop(world)).toBeUndefined();
    expect(await stop(world, 'in_none')).toBeUndefined();
    expect(await world.rows('select stop_reason from payments')).toEqual([{ stop_reason: null }]);
  });

  it('is none where the attempt began after it looked: nothing stops that attempt', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.settle();
    world.clock.set(firstTry);
    const { merchantId } = world;
    const asked = await requestStop(
      {
        async query<Row>(statement: Statement, values: readonly unknown[]) {
          if (statement.name === 'charge_in_flight') {
            expect(await world.claimPayments()).toHaveLength(1);
          }
          return world.db.query<Row>(statement, values);
        },
      },
      { merchantId, invoiceId: 'in_1', reason: 'merchant_stop', at: firstTry },
    );
    expect(asked).toBeUndefined();
  });

  it('either keeps the charge from beginning, or sees it: never neither', async () => {
    const { world, due } = await claimed(40);
    expect(due).toHaveLength(40);
    const pairs = await Promise.all(
      due.map(async (item) => {
        const [[begun], stopped] = await Promise.all([
          beginCharges(world.db, [chargeOf(item)]),
          stop(world, item.payment.invoiceId),
        ]);
        return `${begun?.kind}, in flight: ${stopped?.chargeInFlight}`;
      }),
    );
    for (const pair of pairs) {
      expect(['begun, in flight: true', 'stopped, in flight: false']).toContain(pair);
    }
  });
});
