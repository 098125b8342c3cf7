import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs, secondMs } from '../../../src/domain/clock.ts';
import type { PaymentEventBody } from '../../../src/domain/payment-event.ts';
import { failedEvent, paidEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import { changedGateways } from '../../kits/gateways.ts';

const engineWorld = useEngineWorld();

/** A charge of the invoice that is told as one of another id. */
function chargeOf(id: string, at: Date, of = failedEvent): PaymentEventBody {
  const event = of({ at });
  const transactions = event.transactions.map((item) => ({ ...item, psp_transaction_id: id }));
  return { ...event, transactions };
}

/** A world that recovers an invoice, with the clock at `hours` after its failure was told. */
async function recovering(methods = ['pm_sandbox_decline_51'], hours = 2): Promise<EngineWorld> {
  const world = await engineWorld();
  await world.submit(failedEvent({ methods }));
  await world.runUntil(addMs(worldStart, hours * hourMs));
  return world;
}

const told = (world: EngineWorld) =>
  world.log.filter((line) => line.includes('another retrier') || line.startsWith('counted'));

describe('a charge by somebody else of an invoice under recovery', () => {
  it('is shown with the payment, counted each time and told once', async () => {
    const world = await recovering();
    const first = addMs(worldStart, hourMs);
    await world.submit(chargeOf('ch_foreign_1', first));
    await world.settle();
    expect((await world.payment()).foreignAttempts).toEqual({ count: 1, lastAt: first });
    const second = addMs(worldStart, 2 * hourMs);
    await world.submit(chargeOf('ch_foreign_2', second));
    await world.submit(chargeOf('ch_foreign_1', first));
    await world.settle();
    expect((await world.payment()).foreignAttempts).toEqual({ count: 2, lastAt: second });
    expect(told(world)).toEqual([
      'counted a foreign attempt',
      `warn another retrier is charging this invoice; switch it off {"merchantId":"${world.merchantId}","invoiceId":"in_1"}`,
      'counted a foreign attempt',
    ]);
    await expectSound(world);
  });

  it('that paid it is shown too, and is no retrier to switch off: it may be the customer', async () => {
    const world = await recovering();
    await world.submit(chargeOf('ch_foreign_1', addMs(worldStart, hourMs), paidEvent));
    await world.settle();
    expect(await world.payment()).toMatchObject({
      stopReason: 'recovered_elsewhere',
      foreignAttempts: { count: 1 },
    });
    expect(told(world)).toEqual(['counted a foreign attempt']);
  });

  it('after the recovery’s end is none', async () => {
    const world = await recovering();
    world.clock.passMs(1);
    await world.stop('in_1');
    world.clock.passMs(hourMs);
    await world.submit(chargeOf('ch_late', world.clock.now()));
    await world.settle();
    expect((await world.payment()).foreignAttempts).toBeUndefined();
    expect(told(world)).toEqual([]);
  });
});

describe('no foreign attempt', () => {
  it('are the charges of the first report, and what was before it', async () => {
    const world = await engineWorld();
    const ahead = failedEvent({ methods: ['pm_1', 'pm_2'], at: addMs(worldStart, 5 * secondMs) });
    await world.submit(ahead);
    await world.settle();
    world.clock.passMs(hourMs);
    await world.submit(ahead);
    await world.submit(chargeOf('ch_before', addMs(worldStart, -hourMs)));
    await world.settle();
    expect((await world.payment()).foreignAttempts).toBeUndefined();
    expect(told(world)).toEqual([]);
  });

  it('is the echo of a charge of our own, although it stands in the history', async () => {
    const world = await recovering(['pm_sandbox_decline_51'], 25);
    const [own] = await world.ledger();
    await world.submit(chargeOf(own?.id ?? '', addMs(worldStart, dayMs)));
    await world.settle();
    const payment = await world.payment();
    expect(payment.attemptCount).toBe(1);
    expect(payment.foreignAttempts).toBeUndefined();
    expect(told(world)).toEqual([]);
    const names = (from: string) =>
      world.rows(`select psp_transaction_id as id from ${from} order by received_at`);
    expect(await names('transactions')).toHaveLength(2);
    expect(await names('merchant_transactions')).toEqual([{ id: 'ch_failed_in_1_1' }]);
    await expectSound(world);
  });

  it('is said of an echo that overtakes the answer to our call', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51'] }));
    await world.settle();
    world.clock.set(addMs(worldStart, dayMs));
    const seen: unknown[] = [];
    const worker = world.worker((deps) =>
      changedGateways(deps, (gateway) => ({
        async charge(request) {
          const result = await gateway.charge(request);
          const [own] = await world.ledger();
          await world.submit(chargeOf(own?.id ?? '', world.clock.now()));
          await world.apply(await world.claimRequests());
          seen.push((await world.payment()).foreignAttempts);
          return result;
        },
      })),
    );
    await worker.settle();
    expect(seen).toEqual([undefined]);
    expect(await world.payment()).toMatchObject({ attempts: [{ status: 'declined' }] });
    expect((await world.payment()).foreignAttempts).toBeUndefined();
    expect(told(world)).toEqual([]);
    expect(worker.failures).toEqual([]);
  });
});

it('what is told while a charge of ours has no answer is judged when it has one', async () => {
  const world = await recovering(['pm_sandbox_lost_decline'], 24);
  expect((await world.payment()).status).toBe('attempting');
  const [own] = await world.ledger();
  await world.submit(chargeOf(own?.id ?? '', world.clock.now()));
  await world.submit(chargeOf('ch_foreign', world.clock.now()));
  for (const requests of [await world.claimRequests()]) await world.apply(requests);
  expect((await world.payment()).foreignAttempts).toBeUndefined();
  await world.runUntil(addMs(worldStart, dayMs + 2 * secondMs));
  expect(await world.payment()).toMatchObject({
    status: 'scheduled',
    foreignAttempts: { count: 1 },
  });
});
