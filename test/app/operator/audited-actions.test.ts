import { describe, expect, it, onTestFinished } from 'vitest';
import { createPaymentActions } from '../../../src/app/operator/payment-actions.ts';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import { beginReplay } from '../../../src/recovery/replays/begin-replay.ts';
import { createModelStore, listTrainings } from '../../../src/store/learned/model-store.ts';
import { createWhatIfStore, listWhatIfs } from '../../../src/store/learned/what-if-store.ts';
import { createReplayStore } from '../../../src/store/replays/replay-store.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { changeSchema } from '../../kits/change-schema.ts';
import { type EngineWorld, random, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import { changedGateways } from '../../kits/gateways.ts';

const engineWorld = useEngineWorld();

function actionsOf(world: EngineWorld, pause = world.deps.pause) {
  return createPaymentActions({
    ...world.deps,
    pause,
    db: world.db,
  });
}

async function auditOf(world: EngineWorld) {
  return world.rows(
    `select action, detail from audit_log where merchant_id = $1 order by at, action`,
    [world.merchantId],
  );
}

/** From now on the audit log takes no line, until `allow` is called. */
async function refuseAudit(world: EngineWorld): Promise<{ allow(): Promise<unknown> }> {
  const change = (what: string) =>
    changeSchema(world.connectionString, `alter table audit_log ${what}`);
  const allow = () => change('drop constraint if exists no_line');
  await change('add constraint no_line check (false) not valid');
  onTestFinished(async () => {
    await allow();
  });
  return { allow };
}

async function scheduled(): Promise<EngineWorld> {
  const world = await engineWorld();
  await world.submit(failedEvent({ methods: ['pm_sandbox_success'] }));
  await world.settle();
  return world;
}

const key = (world: EngineWorld) => ({ merchantId: world.merchantId, invoiceId: 'in_1' });

describe('an action of an operator', () => {
  it('retry: stands in the audit log, and is not done where it cannot', async () => {
    const world = await scheduled();
    const retryAt = addMs(world.clock.now(), hourMs);
    const before = await world.payment();
    const log = await refuseAudit(world);
    await expect(actionsOf(world).retryPayment({ ...key(world), retryAt })).rejects.toThrow();
    expect(await world.payment()).toEqual(before);
    await log.allow();
    expect(await actionsOf(world).retryPayment({ ...key(world), retryAt })).toMatchObject({
      kind: 'scheduled',
    });
    expect((await world.payment()).nextAttemptAt).toEqual(retryAt);
    expect(await auditOf(world)).toEqual([
      {
        action: 'payment.retried',
        detail: { invoice_id: 'in_1', retry_at: retryAt.toISOString() },
      },
    ]);
  });

  it('stop: stands in the audit log, and is not done where it cannot', async () => {
    const world = await scheduled();
    const log = await refuseAudit(world);
    const stop = { ...key(world), reason: 'asked by phone' };
    await expect(actionsOf(world).stopPayment(stop)).rejects.toThrow();
    expect((await world.payment()).status).toBe('scheduled');
    await log.allow();
    expect(await actionsOf(world).stopPayment(stop)).toEqual({ kind: 'stopped' });
    expect(await auditOf(world)).toEqual([
      { action: 'payment.stopped', detail: { invoice_id: 'in_1', reason: 'asked by phone' } },
    ]);
  });

  it('stop amid a charge: one line however often it looks, and no stop without it', async () => {
    const world = await scheduled();
    let stopped: Promise<unknown> | undefined;
    let looks = 0;
    let refused: unknown;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let run: Promise<unknown> = Promise.resolve();
    const pause = async () => {
      looks += 1;
      if (looks === 3) release();
      if (looks >= 3) await run;
    };
    const worker = world.worker((deps) =>
      changedGateways(deps, (gateway) => ({
        async charge(request) {
          const log = await refuseAudit(world);
          const stop = { ...key(world), reason: 'asked by phone' };
          refused = await actionsOf(world)
            .stopPayment(stop)
            .catch((error: unknown) => error);
          await log.allow();
          stopped = actionsOf(world, pause).stopPayment(stop);
          await released;
          return gateway.charge(request);
        },
      })),
    );
    run = world.runUntil(addMs(worldStart, dayMs), worker);
    await run;
    expect(refused).toBeInstanceOf(Error);
    expect(await stopped).toEqual({ kind: 'already', status: 'recovered' });
    expect(await auditOf(world)).toHaveLength(1);
    await expectSound(world);
  });

  it('settling by hand: stands in the audit log, and is not done where it cannot', async () => {
    const world = await engineWorld();
    const worker = world.worker((deps) =>
      changedGateways(deps, () => ({ lookUp: async () => ({ kind: 'unknown', reason: 'away' }) })),
    );
    await world.submit(failedEvent({ methods: ['pm_sandbox_lost_success'] }));
    await world.settle();
    await world.runUntil(addMs(worldStart, 2 * dayMs), worker);
    const [made] = await world.ledger();
    const idempotencyKey = made?.idempotency_key ?? '';
    const seen = { kind: 'succeeded', pspTransactionId: made?.id ?? '' } as const;
    const input = { merchantId: world.merchantId, idempotencyKey, seen, reason: 'seen by K. Ito' };
    const log = await refuseAudit(world);
    await expect(actionsOf(world).resolveUnknownCharge(input)).rejects.toThrow();
    expect((await world.payment()).attempts.at(-1)?.status).toBe('unknown');
    await log.allow();
    expect(await actionsOf(world).resolveUnknownCharge(input)).toMatchObject({ kind: 'resolved' });
    expect(await auditOf(world)).toEqual([
      {
        action: 'charge.settled',
        detail: { idempotency_key: idempotencyKey, result: 'succeeded', reason: 'seen by K. Ito' },
      },
    ]);
    await expectSound(world);
  });

  it('replay of an event: is queued with its line, or not at all', async () => {
    const world = await scheduled();
    await world.runUntil(addMs(worldStart, 2 * dayMs));
    const [event] = await world.events();
    const input = { merchantId: world.merchantId, eventId: event?.eventId ?? '' };
    expect(event?.delivery.status).toBe('delivered');
    const log = await refuseAudit(world);
    await expect(actionsOf(world).replayDelivery(input)).rejects.toThrow();
    expect((await world.events())[0]?.delivery.status).toBe('delivered');
    await log.allow();
    expect(await actionsOf(world).replayDelivery(input)).toEqual({ kind: 'queued' });
    expect((await world.events())[0]?.delivery.status).toBe('pending');
    expect(await auditOf(world)).toEqual([
      { action: 'delivery.replayed', detail: { event_id: input.eventId } },
    ]);
  });

  it('replay of many: is noted with its line and worked on, or neither', async () => {
    const world = await scheduled();
    await world.runUntil(addMs(worldStart, 2 * dayMs));
    const { merchantId } = world;
    const asked: unknown[] = [];
    const replay = () =>
      beginReplay(
        {
          replays: createReplayStore(world.db),
          clock: world.clock,
          random,
          requestReplay: async (input) => void asked.push(input),
        },
        { merchantId, status: 'any', from: worldStart },
      );
    const log = await refuseAudit(world);
    await expect(replay()).rejects.toThrow();
    expect([asked, await world.rows('select from replays')]).toEqual([[], []]);
    await log.allow();
    const { replayId, matched } = await replay();
    expect([matched, asked]).toEqual([1, [{ merchantId, replayId }]]);
    const [line] = await auditOf(world);
    expect(line).toMatchObject({
      action: 'deliveries.replayed',
      detail: { replay_id: replayId, status: 'any', count: 1 },
    });
  });

  it('training and what-if: are asked for with their lines, or not at all', async () => {
    const world = await scheduled();
    const { merchantId, db } = world;
    const at = world.clock.now();
    const train = () => createModelStore(db).requestTraining({ merchantId, at });
    const ask = () =>
      createWhatIfStore(db).request({
        merchantId,
        whatIfId: 'wif_1',
        policy: 'fixed',
        windowDays: 14,
        maxAttempts: 4,
        fixedDays: [1, 3],
        at,
      });
    const log = await refuseAudit(world);
    await expect(train()).rejects.toThrow();
    await expect(ask()).rejects.toThrow();
    expect(await listTrainings(db)).toEqual([]);
    expect(await listWhatIfs(db, merchantId)).toEqual([]);
    await log.allow();
    await train();
    await ask();
    expect((await auditOf(world)).map((line) => line.action)).toEqual([
      'model.training_requested',
      'what_if.requested',
    ]);
  });
});
