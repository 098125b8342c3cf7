import { beforeEach, expect, it } from 'vitest';
import { reconciliationJobs } from '../../../src/app/reconciliation-module.ts';
import { addMs, dayMs, hourMs, minuteMs } from '../../../src/domain/clock.ts';
import type { JobContext, PeriodicJob } from '../../../src/jobs/background-job.ts';
import { chargeKey } from '../../../src/recovery/engine/charge-key.ts';
import { createIncidentStore } from '../../../src/store/incidents/incident-store.ts';
import { listIncidents } from '../../../src/store/incidents/read-incidents.ts';
import { listReconciliations } from '../../../src/store/reconciliation/list-reconciliations.ts';
import { createRestoreStore } from '../../../src/store/reconciliation/restore-store.ts';
import { cardsOf, failedEvent } from '../../kits/billing-events.ts';
import { type EngineWorld, random, useEngineWorld } from '../../kits/engine.ts';
import { reconciliationKit } from '../../kits/reconciliation.ts';

const engineWorld = useEngineWorld();
let world: EngineWorld;
let kit: ReturnType<typeof reconciliationKit>;

beforeEach(async () => {
  world = await engineWorld();
  kit = reconciliationKit(world);
  await world.rows(
    `insert into psp_connections (merchant_id, psp, version, mode, created_at)
     values ($1, 'sandbox', 1, 'sandbox', $2)`,
    [world.merchantId, world.clock.now()],
  );
});

/** The job that comes round once a day. */
async function compareDaily(): Promise<void> {
  const { db, clock } = world;
  const jobs = reconciliationJobs({ db, clock, random }, world.deps);
  const daily = jobs.find((job): job is PeriodicJob => job.name === 'reconcile');
  const context = { signal: new AbortController().signal, progress: () => undefined };
  await daily?.run(context as unknown as JobContext);
}

async function runs() {
  const { items } = await listReconciliations(world.db, { limit: 50 });
  return items.toReversed();
}

/** A debt, and its first charge at the PSP that the restored record does not hold. */
async function chargedSince(invoiceId: string): Promise<void> {
  await report(invoiceId, 'pm_sandbox_success');
  await chargeBehind(invoiceId, 'pm_sandbox_success');
}

async function report(invoiceId: string, method: string): Promise<void> {
  const methods = cardsOf(invoiceId, [method]);
  await world.submit(failedEvent({ invoiceId, methods, at: world.clock.now() }));
  await world.settle();
}

async function chargeBehind(invoiceId: string, method: string): Promise<void> {
  const [paymentMethodId = ''] = cardsOf(invoiceId, [method]);
  const { merchantId } = world;
  const gateway = await world.deps.findGateway({ merchantId, psp: 'sandbox' });
  await gateway?.charge({
    merchantId,
    invoiceId,
    idempotencyKey: chargeKey({ merchantId, invoiceId, paymentMethodId, number: 1 }),
    amountMinor: 1_223,
    currency: 'USD',
    paymentMethodId,
    originalPspTransactionId: 'ch_1',
    sendBy: addMs(new Date(), dayMs),
  });
}

it('is the check of the backup alone while that runs: what it adopts is no finding of the daily job', async () => {
  const restoredFrom = world.clock.now();
  await chargedSince('in_5');
  world.clock.passMs(dayMs);
  await createRestoreStore(world.db).begin({ restoredFrom, at: world.clock.now() });
  await compareDaily();
  expect(await kit.findings()).toEqual([]);
  expect(await runs()).toMatchObject([{ purpose: 'restore', state: 'done', settled: 1 }]);
  expect(await world.payment('in_5')).toMatchObject({ status: 'recovered' });
  world.clock.passMs(dayMs);
  await compareDaily();
  expect(await runs()).toMatchObject([{ purpose: 'restore' }, { purpose: 'reconcile' }]);
});

it('is followed by comparisons of what was charged since it began', async () => {
  const checked = await kit.finish(await kit.begin({ purpose: 'restore' }));
  expect(checked.state).toBe('done');
  world.clock.passMs(dayMs);
  const next = await kit.begin();
  expect(next.since).toEqual(addMs(checked.startedAt, -2 * hourMs));
  expect(next.until).toEqual(addMs(world.clock.now(), -15 * minuteMs));
});

it.each([
  { method: 'pm_sandbox_success', state: 'succeeded' },
  { method: 'pm_sandbox_decline_51', state: 'declined' },
])(
  'closes the finding of a charge that $state once its debt was reported again, and no other',
  async ({ method, state }) => {
    const restoredFrom = world.clock.now();
    await chargeBehind('in_8', method);
    await chargeBehind('in_9', method);
    world.clock.passMs(hourMs);
    await createRestoreStore(world.db).begin({ restoredFrom, at: world.clock.now() });
    await compareDaily();
    const finding = { kind: 'missing_here', invoiceId: undefined, ours: undefined, theirs: state };
    expect(await kit.findings()).toEqual([finding, finding]);
    const [own] = await world.ledger('in_9');

    await report('in_9', method);
    await world.runUntil(addMs(world.clock.now(), dayMs + hourMs));
    expect(await world.ledger('in_9')).toEqual([own]);
    await compareDaily();
    const { items } = await listIncidents(world.db, { limit: 200 });
    const incidents = items.map((item) => [item.charge, item.state, item.resolution ?? '']);
    const [other] = await world.ledger('in_8');
    expect(incidents).toHaveLength(2);
    expect(incidents).toContainEqual([own?.id, 'dismissed', expect.stringContaining('debt in_9')]);
    expect(incidents).toContainEqual([other?.id, 'open', '']);
    const audit = await world.rows(
      `select detail ->> 'to' as "to" from audit_log where action = 'incident.moved'`,
    );
    expect(audit).toEqual([{ to: 'dismissed' }]);
    expect(await world.faults()).toEqual([`${other?.id} at the PSP is not in our record`]);
  },
);

it('leaves the finding of a charge to a person who has begun to dismiss it', async () => {
  const restoredFrom = world.clock.now();
  await chargeBehind('in_9', 'pm_sandbox_success');
  world.clock.passMs(hourMs);
  await createRestoreStore(world.db).begin({ restoredFrom, at: world.clock.now() });
  await compareDaily();
  const [incident] = (await listIncidents(world.db, { limit: 200 })).items;
  expect(incident).toMatchObject({ kind: 'missing_here', state: 'open' });
  if (incident === undefined) return;
  const incidents = createIncidentStore({ db: world.db, random });
  const begun = await incidents.beginDismissal({ ...incident, at: world.clock.now() });
  expect(begun).toBe('begun');

  await report('in_9', 'pm_sandbox_success');
  await world.runUntil(addMs(world.clock.now(), dayMs + hourMs));
  await compareDaily();
  expect((await listIncidents(world.db, { limit: 200 })).items).toMatchObject([{ state: 'open' }]);
});
