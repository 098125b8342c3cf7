import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import type { BeginCharge, DuePayment } from '../../../src/recovery/engine-ports.ts';
import { beginCharges } from '../../../src/store/engine/charges.ts';
import { requestStop } from '../../../src/store/engine/stop-request.ts';
import { cardsOf, failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';

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
    sentAt: firstTry,
    connectionVersion: 1,
    ...change,
  };
}

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

  it('is not begun by a worker that lost its lease', async () => {
    const { world, due } = await claimed();
    const late = chargeOf(due[0], { fence: (due[0]?.payment.fence ?? 0) - 1 });
    expect(await beginCharges(world.db, [late])).toEqual([{ kind: 'lease_lost' }]);
    expect((await world.payment()).attempts[0]?.transactions).toEqual([]);
  });

  it('is not begun once a stop was asked for', async () => {
    const { world, due } = await claimed();
    expect(await stop(world)).toEqual({ chargeInFlight: false });
    expect(await beginCharges(world.db, [chargeOf(due[0])])).toEqual([{ kind: 'stopped' }]);
    expect((await world.payment()).attempts[0]).toMatchObject({
      status: 'checking',
      transactions: [],
    });
  });

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

  it.each([{ retry: false }, { retry: 'yes' }])('is not begun without a yes: %j', async (check) => {
    const { world, due } = await claimed();
    const begun = beginCharges(world.db, [chargeOf(due[0], { check })]);
    await expect(begun).rejects.toThrow(/charge_needs_a_yes/);
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
