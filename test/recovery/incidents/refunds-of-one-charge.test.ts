import fc from 'fast-check';
import { expect, it } from 'vitest';
import { refundKey } from '../../../src/recovery/engine/charge-key.ts';
import {
  dismissIncident,
  type ResolveDeps,
  refundIncident,
} from '../../../src/recovery/incidents/resolve-incident.ts';
import { settleRefund } from '../../../src/recovery/incidents/settle-refund.ts';
import type { RefundRequest, RefundResult } from '../../../src/recovery/psp-ports.ts';
import { createIncidentStore } from '../../../src/store/incidents/incident-store.ts';
import { worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, random, useEngineWorld } from '../../kits/engine.ts';
import { changedGateways } from '../../kits/gateways.ts';

const engineWorld = useEngineWorld();
const charge = 'psp_1';
const subjects = ['told', 'listed'] as const;

/** What the PSP does with a refund that it has not seen the key of. */
type Answer = 'made' | 'pending' | 'refused' | 'lost' | 'never_got';

type Step =
  | { readonly kind: 'find' | 'dismiss'; readonly own: number }
  | { readonly kind: 'refund'; readonly own: number; readonly answer: Answer }
  /** At the PSP, with its webhook. */
  | { readonly kind: 'fail' | 'settle'; readonly repeats: boolean };

const own = fc.nat({ max: 1 });
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('find' as const, 'dismiss' as const), own }),
    {
      arbitrary: fc.record({
        kind: fc.constant('refund' as const),
        own,
        answer: fc.constantFrom<Answer>('made', 'pending', 'refused', 'lost', 'never_got'),
      }),
      weight: 4,
    },
    {
      arbitrary: fc.record({
        kind: fc.constantFrom('fail' as const, 'settle' as const),
        repeats: fc.boolean(),
      }),
      weight: 2,
    },
  ),
  { minLength: 2, maxLength: 12 },
);

interface Made {
  readonly refundId: string;
  readonly key: string;
  state: 'pending' | 'made' | 'failed';
}

/** A PSP that answers a key for ever as it did the first time, and gives back as often as it is asked to. */
function refundingPsp() {
  const answers = new Map<string, RefundResult>();
  const refunds: Made[] = [];
  let next: Answer = 'made';
  const make = (key: string, state: Made['state']) => {
    const refundId = `re_${refunds.length + 1}`;
    refunds.push({ refundId, key, state });
    answers.set(key, { kind: state === 'made' ? 'refunded' : 'pending', refundId });
    return answers.get(key);
  };
  const refund = async ({ idempotencyKey: key }: RefundRequest): Promise<RefundResult> => {
    const known = answers.get(key);
    if (known !== undefined) return known;
    const unknown = { kind: 'unknown', reason: 'no answer' } as const;
    if (next === 'never_got') return unknown;
    if (next === 'refused') {
      answers.set(key, { kind: 'refused', reason: 'not settled yet' });
      return { kind: 'refused', reason: 'not settled yet' };
    }
    const made = make(key, next === 'pending' ? 'pending' : 'made');
    return next === 'lost' || made === undefined ? unknown : made;
  };
  const answersNext = (answer: Answer) => {
    next = answer;
  };
  return { refunds, refund, answersNext };
}

async function play(world: EngineWorld, played: readonly Step[]) {
  const { merchantId } = world;
  const incidents = createIncidentStore({ db: world.db, random });
  const psp = refundingPsp();
  const gateways = changedGateways(world.deps, () => ({ refund: psp.refund }));
  const deps: ResolveDeps = { ...world.deps, ...gateways, incidents };
  const of = { merchantId, psp: 'sandbox', charge } as const;
  const theirs = { state: 'succeeded', pspTransactionId: charge, amountMinor: 1, currency: 'USD' };
  const find = async (index: number) => {
    const subject = subjects[index] ?? '';
    const kind = 'missing_here';
    await incidents.open({ ...of, kind, subject, detail: 'x', theirs, at: worldStart });
    const all = await incidents.findByCharge({ ...of, pspTransactionId: charge });
    return all.find((incident) => incident.subject === subject)?.incidentId ?? '';
  };
  const told = { kind: 'refund_settled', pspTransactionId: charge } as const;
  for (const step of played) {
    if (!('own' in step)) {
      const isFailure = step.kind === 'fail';
      const made = psp.refunds.findLast(({ state }) => isFailure || state !== 'failed');
      if (made === undefined) continue;
      made.state = isFailure ? 'failed' : 'made';
      const { refundId, key: idempotencyKey } = made;
      const outcome = isFailure ? 'failed' : 'refunded';
      const parsed = { ...told, refundId, idempotencyKey, outcome } as const;
      for (const _ of step.repeats ? [1, 2] : [1]) {
        await settleRefund(deps, { merchantId, psp: 'sandbox', parsed });
      }
      continue;
    }
    const input = { merchantId, incidentId: await find(step.own), reason: 'seen by K. Ito' };
    if (step.kind === 'dismiss') await dismissIncident(deps, input);
    if (step.kind === 'refund') {
      psp.answersNext(step.answer);
      await refundIncident(deps, input);
    }
  }
  const found = await incidents.findByCharge({ ...of, pspTransactionId: charge });
  return { deps, psp, found };
}

it('money of a charge is given back once, and an incident is refunded only if it was', async () => {
  const base = await engineWorld();
  await fc.assert(
    fc.asyncProperty(steps, async (played) => {
      const { merchantId } = await base.addMerchant();
      const { psp, found } = await play({ ...base, merchantId }, played);
      const given = psp.refunds.filter(({ state }) => state !== 'failed');
      expect(given.length).toBeLessThanOrEqual(1);
      const states = found.map(({ state }) => state);
      if (states.includes('refunded')) expect(given).toHaveLength(1);
      if (states.includes('dismissed')) expect(given).toEqual([]);
      expect(states.filter((state) => state === 'refunding').length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 60 },
  );
});

it('the next refund after one that failed has a new key, whichever of its incidents asks', async () => {
  const base = await engineWorld();
  const first = { kind: 'refund', own: 0, answer: 'made' } as const;
  const failed = { kind: 'fail', repeats: false } as const;
  const { psp, found } = await play(base, [first, failed, { ...first, own: 1 }]);
  const { merchantId } = base;
  const keyOf = (number: number) =>
    refundKey({ merchantId, psp: 'sandbox', pspTransactionId: charge, number });
  expect(psp.refunds).toMatchObject([
    { key: keyOf(1), state: 'failed' },
    { key: keyOf(2), state: 'made' },
  ]);
  expect(Object.fromEntries(found.map(({ subject, state }) => [subject, state]))).toEqual({
    told: 'open',
    listed: 'refunded',
  });
});
