import { expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { takeAnswer } from '../../../src/recovery/engine/answers/take-answer.ts';
import { refundKey } from '../../../src/recovery/engine/charge-key.ts';
import {
  type ResolveDeps,
  refundIncident,
} from '../../../src/recovery/incidents/resolve-incident.ts';
import { settleRefund } from '../../../src/recovery/incidents/settle-refund.ts';
import type { RefundResult } from '../../../src/recovery/psp-ports.ts';
import { createIncidentStore } from '../../../src/store/incidents/incident-store.ts';
import { listIncidents } from '../../../src/store/incidents/read-incidents.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { random, useEngineWorld } from '../../kits/engine.ts';
import { changedGateways } from '../../kits/gateways.ts';

const engineWorld = useEngineWorld();
const refused: RefundResult = { kind: 'refused', reason: 'not settled yet' };

/** An incident whose refunds the PSP answers when, and in the order in which, the test says. */
async function contradicted() {
  const world = await engineWorld();
  await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51'] }));
  await world.runUntil(addMs(worldStart, dayMs));
  const [row] = await world.rows<{ key: string }>(
    'select idempotency_key as key from psp_transactions',
  );
  const { merchantId } = world;
  await takeAnswer(world.deps, {
    merchantId,
    idempotencyKey: row?.key ?? '',
    result: { kind: 'succeeded', pspTransactionId: 'psp_1', told: {} },
  });
  const incidents = createIncidentStore({ db: world.db, random });
  const [opened] = (await listIncidents(world.db, { limit: 10 })).items;
  if (opened === undefined) throw new Error('no incident');
  const { incidentId } = opened;
  const keys: string[] = [];
  let arrived = (_answer: (result: RefundResult) => void): void => {};
  const deps: ResolveDeps = {
    ...world.deps,
    ...changedGateways(world.deps, () => ({
      refund({ idempotencyKey }) {
        keys.push(idempotencyKey);
        return new Promise<RefundResult>((answer) => arrived(answer));
      },
    })),
    incidents,
  };
  return {
    keys,
    /** A call whose refund is under way at the PSP; the answer ends it. */
    async ask() {
      const atPsp = new Promise<(result: RefundResult) => void>((resolve) => {
        arrived = resolve;
      });
      const outcome = refundIncident(deps, { merchantId, incidentId, reason: 'by K. Ito' });
      const answer = await atPsp;
      return (result: RefundResult) => {
        answer(result);
        return outcome;
      };
    },
    tellFailed: () =>
      settleRefund(deps, {
        merchantId,
        psp: 'sandbox',
        parsed: {
          kind: 'refund_settled',
          pspTransactionId: 'psp_1',
          refundId: 're_1',
          outcome: 'failed',
          reason: 'account closed',
          idempotencyKey: keyOf(merchantId, 1),
        },
      }),
    incident: async () => (await incidents.find({ merchantId, incidentId })) ?? opened,
    keyOf: (number: number) => keyOf(merchantId, number),
  };
}

const keyOf = (merchantId: string, number: number) =>
  refundKey({ merchantId, psp: 'sandbox', pspTransactionId: 'psp_1', number });

it('a refusal that two calls hear of counts once: the next refund, under way meanwhile, stays the one', async () => {
  const { ask, keys, keyOf, incident } = await contradicted();
  const first = await ask();
  const beside = await ask();
  expect(await first(refused)).toMatchObject({ kind: 'refused' });
  const next = await ask();
  expect(await beside(refused)).toMatchObject({ kind: 'refused' });
  expect(await incident()).toMatchObject({ state: 'refunding', failedRefunds: 1 });
  expect(await next({ kind: 'refunded', refundId: 're_2' })).toMatchObject({ kind: 'refunded' });
  expect(keys).toEqual([keyOf(1), keyOf(1), keyOf(2)]);
  expect(await incident()).toMatchObject({ state: 'refunded', refundId: 're_2' });
});

it('the name of an earlier refund that comes late is not put on the one under way', async () => {
  const { ask, tellFailed, incident } = await contradicted();
  const first = await ask();
  await tellFailed();
  const next = await ask();
  await first({ kind: 'pending', refundId: 're_1' });
  await next({ kind: 'pending', refundId: 're_2' });
  expect(await incident()).toMatchObject({ state: 'refunding', refundId: 're_2' });
});

it('a refund whose failure is told before its answer is not said to be made', async () => {
  const { ask, tellFailed, incident } = await contradicted();
  const first = await ask();
  await tellFailed();
  expect(await first({ kind: 'refunded', refundId: 're_1' })).toEqual({
    kind: 'refused',
    because: 'The refund re_1 failed at the PSP: account closed',
  });
  expect((await incident()).state).toBe('open');
});

it('a refund that two calls are told of is made for both', async () => {
  const { ask, incident } = await contradicted();
  const first = await ask();
  const beside = await ask();
  const made = { kind: 'refunded', refundId: 're_1' } as const;
  expect(await first(made)).toMatchObject({ kind: 'refunded' });
  expect(await beside(made)).toMatchObject({ kind: 'refunded' });
  expect(await incident()).toMatchObject({ state: 'refunded', failedRefunds: 0 });
});
