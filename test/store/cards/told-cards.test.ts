import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addMs, dayMs, minuteMs } from '../../../src/domain/clock.ts';
import type { DuePayment } from '../../../src/recovery/engine-ports.ts';
import { learnCard } from '../../../src/store/cards/learn-cards.ts';
import { readCards } from '../../../src/store/cards/read-cards.ts';
import { beginCharges } from '../../../src/store/engine/charges.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { chargeOf } from './charge-of.ts';

const engineWorld = useEngineWorld();
const methods = ['pm_a', 'pm_b'] as const;

/** A charge, the merchant's or ours, and the card that it is told to be of. */
interface Charged {
  readonly by: 'merchant' | 'us';
  readonly method: (typeof methods)[number];
  readonly fingerprint: 'f1' | 'f2' | undefined;
  /** What was reported until then is applied at once. */
  readonly applies: boolean;
}

const charged: fc.Arbitrary<Charged> = fc.record({
  by: fc.constantFrom('merchant', 'us'),
  method: fc.constantFrom(...methods),
  fingerprint: fc.constantFrom('f1', 'f2', undefined),
  applies: fc.boolean(),
});
/** Each at another minute, told in any order. */
const history = fc
  .array(charged, { minLength: 2, maxLength: 6 })
  .chain((all) => fc.shuffledSubarray([...all.entries()], { minLength: all.length }));

const timeOf = (minute: number): Date => addMs(worldStart, dayMs + minute * minuteMs);

/** For each charge of ours, a payment of its method that a worker has taken. */
async function taken(world: EngineWorld, own: readonly (readonly [number, Charged])[]) {
  for (const [minute, { method }] of own) {
    await world.submit(failedEvent({ invoiceId: `own_${minute}`, methods: [method] }));
  }
  await world.settle();
  world.clock.set(addMs(worldStart, dayMs));
  const due = await world.claimPayments();
  return new Map(due.map((item): [string, DuePayment] => [item.payment.invoiceId, item]));
}

async function expectCounted(world: EngineWorld, told: readonly (readonly [number, Charged])[]) {
  const own = told.filter(([, { by }]) => by === 'us');
  const due = await taken(world, own);
  for (const [minute, { by, method, fingerprint, applies }] of told) {
    const at = timeOf(minute);
    if (by === 'us') {
      const charge = chargeOf(due.get(`own_${minute}`), {
        idempotencyKey: `key_${minute}`,
        sentAt: at,
      });
      expect(await beginCharges(world.db, [charge])).toMatchObject([{ kind: 'begun' }]);
      const { merchantId, idempotencyKey, psp, paymentMethodId } = charge;
      const names = { merchantId, idempotencyKey, psp, paymentMethodId, customerId: 'cus_1' };
      if (fingerprint === undefined) continue;
      await learnCard(world.db, { ...names, card: { fingerprint }, at, now: at });
    } else {
      const event = failedEvent({ invoiceId: `in_${minute}`, methods: [method], at });
      const [transaction] = event.transactions;
      if (transaction === undefined) throw new Error('an event has a transaction');
      const card = fingerprint !== undefined && { card_fingerprint: fingerprint };
      const transactions = [{ ...transaction, ...card }];
      await world.submit({ ...event, transactions });
      if (applies) await world.apply(await world.claimRequests());
    }
  }
  await world.apply(await world.claimRequests());

  const isKnown = (charge: Charged) => charge.fingerprint !== undefined;
  const refOf = (minute: number, { by }: Charged) =>
    by === 'us' ? `key_${minute}` : `in_${minute}/ch_failed_in_${minute}_1`;
  for (const method of methods) {
    const latest = told
      .filter(([, charge]) => charge.method === method && isKnown(charge))
      .toSorted(([a], [b]) => b - a)[0]?.[1].fingerprint;
    if (latest === undefined) continue;
    const question = { merchantId: world.merchantId, invoiceId: 'in', psp: 'sandbox' };
    const at = timeOf(told.length);
    const [card] = await readCards(world.db, [{ ...question, paymentMethodId: method, at }]);
    expect(card?.fingerprint).toBe(latest);
    const known = new Set(told.filter(([, one]) => isKnown(one)).map((one) => refOf(...one)));
    expect(
      new Set(card?.attempts.map(({ id }) => id).filter((id) => known.has(id))),
      method,
    ).toEqual(
      new Set(told.filter(([, one]) => one.fingerprint === latest).map((one) => refOf(...one))),
    );
  }
}

it('each charge counts for the card that it was told to be of, whichever its method stood for before or since', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (told) => {
      const world = await engineWorld();
      await expectCounted(world, told).finally(() => world.close());
    }),
    { numRuns: 40 },
  );
});
