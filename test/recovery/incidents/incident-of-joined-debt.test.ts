import { beforeEach, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { takeAnswer } from '../../../src/recovery/engine/answers/take-answer.ts';
import {
  dismissIncident,
  type ResolveDeps,
  refundIncident,
} from '../../../src/recovery/incidents/resolve-incident.ts';
import { createIncidentStore } from '../../../src/store/incidents/incident-store.ts';
import { listIncidents } from '../../../src/store/incidents/read-incidents.ts';
import { worldStart } from '../../kits/billing-events.ts';
import { failedCharge, submitBy } from '../../kits/debt-reports.ts';
import { type EngineWorld, random, useEngineWorld } from '../../kits/engine.ts';
import { changedGateways } from '../../kits/gateways.ts';

const engineWorld = useEngineWorld();
const methods = ['pm_sandbox_decline_51'];
const afterTwoTries = addMs(worldStart, 10 * dayMs);
let world: EngineWorld;
let deps: ResolveDeps;

/** Two recoveries that were each tried once: `in_1`, which goes on, and `m1`, which turned out to be of its debt. */
beforeEach(async () => {
  world = await engineWorld();
  await submitBy(world, 'merchant', failedCharge({ invoiceId: 'm1', charge: 'ch_1', methods }));
  await submitBy(world, 'psp', failedCharge({ invoiceId: 'in_1', charge: 'ch_2', methods }));
  await world.runUntil(addMs(worldStart, dayMs));
  const incidents = createIncidentStore({ db: world.db, random });
  const refund = async () => ({ kind: 'refunded', refundId: 're_1' }) as const;
  deps = { ...world.deps, ...changedGateways(world.deps, () => ({ refund })), incidents };
});

const join = () =>
  submitBy(world, 'merchant', failedCharge({ invoiceId: 'm1', charge: 'ch_2', methods }));

/** The PSP says of the declined charge of an invoice that it took the money. */
async function contradict(invoiceId: string): Promise<string> {
  const [row] = await world.rows<{ key: string }>(
    'select idempotency_key as key from psp_transactions where invoice_id = $1',
    [invoiceId],
  );
  const { merchantId } = world;
  const idempotencyKey = row?.key ?? '';
  const result = { kind: 'succeeded', pspTransactionId: `of_${invoiceId}`, told: {} } as const;
  expect(await takeAnswer(world.deps, { merchantId, idempotencyKey, result })).toBe('incident');
  const all = await listIncidents(world.db, { limit: 9 });
  const own = all.items.find(({ charge }) => charge === idempotencyKey);
  return own?.incidentId ?? '';
}

const decide = (how: typeof dismissIncident, incidentId: string) =>
  how(deps, { merchantId: world.merchantId, incidentId, reason: 'seen by K. Ito' });

async function chargesUntil(at: Date): Promise<number> {
  const before = (await world.ledger()).length;
  await world.runUntil(at);
  return (await world.ledger()).length - before;
}

it('nothing is charged for the debt until the incident is resolved, and nothing more once its money is kept', async () => {
  await join();
  await world.settle();
  const incidentId = await contradict('m1');
  expect(await world.payment('in_1')).toMatchObject({ status: 'scheduled', heldBy: 'incident' });
  const { items } = await listIncidents(world.db, { invoiceId: 'in_1', limit: 9 });
  expect(items.map((incident) => incident.incidentId)).toEqual([incidentId]);
  expect(await chargesUntil(afterTwoTries)).toBe(0);
  await decide(dismissIncident, incidentId);
  expect(await world.payment('in_1')).toMatchObject({
    status: 'stopped',
    stopReason: 'recovered_elsewhere',
  });
  expect(await chargesUntil(addMs(afterTwoTries, 20 * dayMs))).toBe(0);
  expect(await world.faults()).toEqual([]);
});

it('the recovery of the debt goes on once the money was given back', async () => {
  await join();
  await world.settle();
  const incidentId = await contradict('m1');
  expect(await chargesUntil(afterTwoTries)).toBe(0);
  await decide(refundIncident, incidentId);
  expect(await world.payment('in_1')).not.toHaveProperty('heldBy');
  expect(await chargesUntil(addMs(afterTwoTries, 10 * dayMs))).toBeGreaterThan(0);
  expect(await world.faults()).toEqual([]);
});

it('of two that had incidents before they were joined, both are resolved before anything is charged', async () => {
  const [own, other] = [await contradict('in_1'), await contradict('m1')];
  await join();
  await world.settle();
  await decide(refundIncident, own);
  expect(await world.payment('in_1')).toMatchObject({ heldBy: 'incident' });
  expect(await chargesUntil(afterTwoTries)).toBe(0);
  await decide(refundIncident, other);
  expect(await chargesUntil(addMs(afterTwoTries, 10 * dayMs))).toBeGreaterThan(0);
});
