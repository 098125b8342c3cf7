import { expect, it } from 'vitest';
import { createDisputesModule } from '../../src/app/disputes/disputes-module.ts';
import type { DisputeAnswer, DisputeQuestion } from '../../src/domain/disputes/dispute-look-up.ts';
import { failedEvent, worldStart } from '../kits/billing-events.ts';
import { disputeOf } from '../kits/dispute-cases.ts';
import { useEngineWorld } from '../kits/engine.ts';
import { changedGateways } from '../kits/gateways.ts';
import { createTestSealer } from '../kits/psp-webhooks.ts';

const engineWorld = useEngineWorld();
const minuteMs = 60_000;

/** The disputes side of a world whose PSP answers as told. */
async function lookUps(answers: readonly DisputeAnswer[]) {
  const world = await engineWorld();
  const asked: DisputeQuestion[] = [];
  const { findGateway } = changedGateways(world.deps, () => ({
    async lookUpDispute(question) {
      asked.push(question);
      return answers[asked.length - 1] ?? { kind: 'nothing' };
    },
  }));
  const deps = { ...world.deps, findGateway };
  const disputes = createDisputesModule({
    db: world.db,
    sealer: createTestSealer(),
    engine: { deps },
  });
  return {
    world,
    asked,
    disputes,
    tell: (changes: object = {}) =>
      disputes.ingest({
        merchantId: world.merchantId,
        psp: 'sandbox',
        dispute: disputeOf(changes),
        occurredAt: worldStart,
      }),
    due: (minutes: number) =>
      disputes.lookUpDue({ at: new Date(worldStart.getTime() + minutes * minuteMs), limit: 10 }),
    async dispute() {
      const { items } = await disputes.store.list({ merchantIds: [world.merchantId], limit: 10 });
      const [item] = items;
      if (item === undefined) throw new Error('there is no dispute');
      return item;
    },
  };
}

const away = { kind: 'unavailable', reason: 'it is away' } as const;

it('adds what the PSP knows, and leaves what the event said', async () => {
  const money = { amountMinor: 9_900, currency: 'EUR' };
  const facts = { cardFingerprint: 'fp_1', cardLast4: '4242', subscriptionId: 'sub_1', money };
  const { tell, dispute, asked } = await lookUps([{ kind: 'read', facts }]);
  await tell();
  expect(asked).toEqual([
    {
      kind: 'dispute',
      status: 'needs_response',
      pspDisputeId: 'dp_1',
      paymentIds: ['ch_disputed'],
    },
  ]);
  expect(await dispute()).toMatchObject({
    lookUp: { state: 'done' },
    facts: { ...facts, money: { amountMinor: 4_900 } },
  });
});

it('takes the place of what nobody signed, and the rest stays marked', async () => {
  const facts = { reasonCode: '13.1' };
  const answer = { kind: 'read', facts, verified: ['status'] } as const;
  const { tell, dispute } = await lookUps([answer]);
  await tell({ unsignedFields: ['reasonCode', 'reason', 'status'] });
  expect((await dispute()).facts).toMatchObject({ reasonCode: '13.1', unsignedFields: ['reason'] });
});

it('that failed keeps the dispute, and is made again by a job, less and less often', async () => {
  const pspCustomerId = 'cus_psp';
  const answers = [away, away, { kind: 'read', facts: { pspCustomerId } }] as const;
  const { tell, dispute, due, asked, world } = await lookUps(answers);
  const methods = ['pm_sandbox_success'];
  await world.submit(failedEvent({ pspCustomerId, methods }));
  await world.settle();
  await tell();
  expect((await dispute()).lookUp).toMatchObject({ state: 'pending', tries: 1 });
  expect(await world.payment()).toMatchObject({ status: 'scheduled' });
  expect(await due(0)).toBe(0);
  expect(await due(2)).toBe(1);
  expect((await dispute()).lookUp).toMatchObject({ state: 'pending', tries: 2 });
  expect(await due(5)).toBe(1);
  expect(asked).toHaveLength(3);
  expect(await dispute()).toMatchObject({ lookUp: { state: 'done' }, facts: { pspCustomerId } });
  // The card was not known before.
  expect(await world.payment()).toMatchObject({ status: 'stopped', stopReason: 'disputed' });
  expect(await due(10_000)).toBe(0);
});

it('is given up in the end, and begins anew with the next event', async () => {
  const { tell, dispute, due } = await lookUps(Array.from({ length: 20 }, () => away));
  await tell();
  for (let look = 1; look < 20; look += 1) await due(100_000);
  expect((await dispute()).lookUp).toEqual({ state: 'failed', tries: 20 });
  expect(await due(100_000)).toBe(0);
  await tell();
  expect((await dispute()).lookUp.state).toBe('done');
});

it('is made once, unless an event names another payment', async () => {
  const { tell, asked } = await lookUps([]);
  await tell();
  await tell();
  expect(asked).toHaveLength(1);
  await tell({ paymentIds: ['ch_disputed', 'pi_1'] });
  expect(asked.at(-1)?.paymentIds).toEqual(['ch_disputed', 'pi_1']);
});
