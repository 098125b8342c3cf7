import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { learnedDefaults } from '../../../src/policy/learned/learned-policy.ts';
import { weekendCalendar } from '../../../src/policy/learned/local-time.ts';
import { priorModel } from '../../../src/policy/learned/prior-model.ts';
import type { DecisionRecord } from '../../../src/policy/plan.ts';
import { retryPayment } from '../../../src/recovery/engine/retry-payment.ts';
import { paymentOutlook } from '../../../src/recovery/learned/payment-outlook.ts';
import type { LearnedFacts, PayerKey } from '../../../src/recovery/learned/ports.ts';
import { trainingRowsOf } from '../../../src/recovery/learned/training-rows.ts';
import { withLearnedFacts } from '../../../src/recovery/learned/with-learned-facts.ts';
import { readIssuerHealth } from '../../../src/store/learned/issuer-health.ts';
import { readPayerRecords } from '../../../src/store/learned/payer-records.ts';
import { createTrainingReads } from '../../../src/store/learned/training-reads.ts';
import { cardsOf, failedEvent, paidEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import type { Worker } from '../../kits/worker.ts';

const engineWorld = useEngineWorld();
const days = (count: number): Date => addMs(worldStart, count * dayMs);

/** A worker that plans by the shipped model, and the batches whose payers it asked for. */
function learning(world: EngineWorld, holdoutShare = 0, shares = { learnedShare: 1 }) {
  const asked: (readonly PayerKey[])[] = [];
  const facts: LearnedFacts = {
    readPayers(keys, at) {
      asked.push(keys);
      return readPayerRecords(world.db, keys, at);
    },
    readHealth: (ids, from, at) => readIssuerHealth(world.db, ids, from, at),
  };
  const worker = world.worker((deps) => ({
    payments: withLearnedFacts(
      {
        clock: deps.clock,
        merchants: deps.merchants,
        facts,
        findPolicy: async ({ merchantId, fixedDays }) => ({
          model: priorModel,
          calendar: weekendCalendar,
          bestFixedDays: fixedDays,
          holdoutShare,
          learnedShare: shares.learnedShare,
          exploreShare: 0,
          salt: merchantId,
          costs: learnedDefaults.costs,
        }),
      },
      deps.payments,
    ),
  }));
  return { worker, asked };
}

const learnedPolicy = { policy: { kind: 'learned', maxAttempts: 3 } } as const;

async function decisionOf(world: EngineWorld, worker: Worker) {
  await worker.settle();
  return (await world.payment()).decision as DecisionRecord | undefined;
}

describe('a merchant with the learned policy', () => {
  it('has payments planned by the model, with the reasons kept', async () => {
    const world = await engineWorld(learnedPolicy);
    await world.submit(failedEvent());
    const decision = await decisionOf(world, learning(world).worker);
    expect(decision).toMatchObject({
      kind: 'attempt',
      policy: 'learned',
      policy_version: priorModel.version,
      arm: 'learned',
      propensity: 1,
      chance: expect.any(Number),
      leading: expect.arrayContaining([expect.objectContaining({ words: expect.any(String) })]),
    });
    expect(decision?.candidates?.length).toBeGreaterThan(1);
  });

  it('shows the chances over the window that the plan was made of', async () => {
    const world = await engineWorld(learnedPolicy);
    await world.submit(failedEvent());
    const { worker } = learning(world);
    const decision = await decisionOf(world, worker);
    const key = { merchantId: world.merchantId, invoiceId: 'in_1' };
    const { curve = expect.fail('a curve'), planned } = await paymentOutlook(worker.deps, key);
    const windowMs = curve.chances.length * curve.stepMs;
    expect(windowMs).toBeGreaterThan(27 * dayMs);
    // The plan's chance at its hour is a point of the curve, or lies between two.
    const step = (Date.parse(decision?.at ?? '') - +curve.from) / curve.stepMs;
    const near = curve.chances.slice(Math.floor(step), Math.floor(step) + 2);
    const max = Math.max(...near, decision?.chance ?? 0);
    expect(max - Math.min(...near, decision?.chance ?? 0)).toBeLessThan(0.05);
    for (const chance of curve.chances) expect(chance > 0 && chance < 1).toBe(true);
    // The tries that the decision tells of, each at its day and with its chance.
    expect(planned[0]).toEqual({ at: new Date(decision?.at ?? ''), chance: decision?.chance });
    expect(decision?.because).toContain(`first of ${planned.length} tries`);
    for (const { at, chance = 0 } of planned.slice(1)) {
      const told = `${at.toISOString().slice(0, 10)} (${(chance * 100).toFixed(1)} %)`;
      expect(decision?.because).toContain(told);
    }
    const none = await paymentOutlook(worker.deps, { ...key, invoiceId: 'in_none' });
    expect(none).toEqual({ planned: [] });
  });

  it('keeps what is held out on its fixed days', async () => {
    const world = await engineWorld(learnedPolicy);
    await world.submit(failedEvent());
    const decision = await decisionOf(world, learning(world, 1).worker);
    expect(decision).toMatchObject({ policy: 'fixed', arm: 'holdout', at: days(1).toISOString() });
    const key = { merchantId: world.merchantId, invoiceId: 'in_1' };
    const { worker } = learning(world, 1);
    const { planned, curve } = await paymentOutlook(worker.deps, key);
    expect(curve).toBeUndefined();
    expect(planned[0]).toEqual({ at: days(1) });
    expect(planned.length).toBeGreaterThan(1);
    for (const { at } of planned) expect(at.getTime() % dayMs).toBe(worldStart.getTime() % dayMs);
  });

  it('keeps its first arm for the comparison when the share of the model has grown', async () => {
    const world = await engineWorld(learnedPolicy);
    const shares = { learnedShare: 0 };
    const { worker } = learning(world, 0, shares);
    await world.submit(failedEvent({ methods: cardsOf('in_1', ['pm_sandbox_decline_51']) }));
    expect(await decisionOf(world, worker)).toMatchObject({
      arm: 'holdout',
      payment_arm: 'holdout',
    });
    shares.learnedShare = 1;
    await world.runUntil(days(2), worker);
    const payment = await world.payment();
    expect(payment.decision).toMatchObject({ arm: 'learned', payment_arm: 'holdout' });
    const input = { merchantId: world.merchantId, invoiceId: 'in_1', retryAt: days(4) };
    expect((await retryPayment(worker.deps, input)).kind).toBe('scheduled');
    const { decision } = await world.payment();
    expect(decision).toMatchObject({ policy: 'client_retry', payment_arm: 'holdout' });
    await world.runUntil(days(28), worker);
    expect(await world.payment()).toMatchObject({
      status: 'exhausted',
      decision: { arm: 'learned', payment_arm: 'holdout' },
    });
  });

  it('reads the payers of a whole claim at once, and none for other merchants', async () => {
    const world = await engineWorld(learnedPolicy);
    const { worker, asked } = learning(world);
    for (const invoiceId of ['in_1', 'in_2', 'in_3']) {
      await world.submit(failedEvent({ invoiceId, customerId: `cus_${invoiceId}` }));
    }
    await worker.settle();
    expect(asked.map((keys) => keys.length)).toEqual([3]);
    world.changeMerchant(world.merchantId, { policy: { kind: 'fixed' } });
    await world.submit(failedEvent({ invoiceId: 'in_4', customerId: 'cus_4' }));
    await worker.settle();
    expect(asked).toHaveLength(1);
  });
});

it('training rebuilds the facts of each decision, successes of the past included', async () => {
  const world = await engineWorld(learnedPolicy);
  const { worker } = learning(world);
  const before = { invoiceId: 'in_0', at: addMs(worldStart, -30 * dayMs) };
  await world.submit(paidEvent(before));
  await world.submit(failedEvent({ methods: cardsOf('in_1', ['pm_sandbox_success_after_2']) }));
  await world.runUntil(days(28), worker);
  expect((await world.payment()).status).toBe('recovered');

  const reads = createTrainingReads(world.db);
  const { merchantId } = world;
  const [payment] = await reads.readPayments({ merchantId, limit: 10 });
  if (payment === undefined) throw new Error('the payment is there to learn from');
  const [record] = await reads.readPayers([payment], world.clock.now(), 48);
  const rows = trainingRowsOf(payment, record);
  const attempts = (await world.payment()).attempts;
  expect(rows.map((row) => [row.succeeded, row.propensity, row.facts.tries.length])).toEqual([
    [false, 1, 0],
    [true, 1, 1],
  ]);
  expect(rows.map((row) => row.facts.nowMs)).toEqual(
    attempts.map(({ decision }) => Date.parse(String(decision?.decided_at))),
  );
  expect(rows[0]?.facts).toMatchObject({
    paymentId: 'in_1',
    triesLeft: 3,
    // New York, from the currency: the report names no issuer.
    utcOffsetMinutes: -300,
    past: [{ succeeded: true, atMs: before.at.getTime() }],
  });
});
