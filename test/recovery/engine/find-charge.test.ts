import { describe, expect, it } from 'vitest';
import {
  addMs,
  dayMs,
  hourMs,
  maxClocksApartMs,
  minuteMs,
  secondMs,
} from '../../../src/domain/clock.ts';
import { findCharge } from '../../../src/recovery/engine/find-charge.ts';
import type { ChargeResult, PspCapabilities } from '../../../src/recovery/psp-ports.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import { changedGateways } from '../../kits/gateways.ts';
import { pspTimeoutMs, type Worker } from '../../kits/worker.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);

/** A worker whose PSP has no record to ask, only the memory of its keys. */
function bySameKey(
  world: EngineWorld,
  more: {
    keyMemoryMs?: PspCapabilities['keyMemoryMs'];
    neverArrives?: number;
    isReplaced?: boolean;
    /** What the PSP says of the key when it is sent once more. */
    says?: ChargeResult;
  } = {},
): Worker & { readonly keys: readonly string[] } {
  const keys: string[] = [];
  const worker = world.worker((deps) =>
    changedGateways(deps, (gateway) => ({
      capabilities: {
        ...gateway.capabilities,
        lookUp: 'same_key',
        keyMemoryMs: more.keyMemoryMs ?? 7 * dayMs,
      },
      lookUp: () => Promise.reject(new Error('there is no record')),
      async charge(request) {
        keys.push(request.idempotencyKey);
        if (keys.length <= (more.neverArrives ?? 0)) return { kind: 'unknown', reason: 'cut off' };
        return more.says ?? gateway.charge(request);
      },
      ...(more.isReplaced && {
        connection: { version: 1, mode: 'unknown' as const, isActive: false },
      }),
    })),
  );
  return { ...worker, keys };
}

/** The first try has been sent, and its answer was lost. */
async function lostTry(world: EngineWorld, worker: Worker, method: string): Promise<void> {
  await world.submit(failedEvent({ methods: [method] }));
  await world.settle();
  world.clock.set(firstTry);
  await worker.settle();
}

describe('a charge at a PSP that answers only to its key', () => {
  it.each([
    ['pm_sandbox_lost_success', 'recovered', 'succeeded'],
    ['pm_sandbox_lost_decline', 'scheduled', 'declined'],
  ])('that was made (%s) is found under it, and is not made again', async (...row) => {
    const [method, status, attempt] = row;
    const world = await engineWorld();
    const worker = bySameKey(world);
    await lostTry(world, worker, method);
    world.clock.passMs(2 * secondMs);
    await worker.settle();
    expect(new Set(worker.keys).size).toBe(1);
    expect(worker.keys).toHaveLength(2);
    expect(await world.payment()).toMatchObject({ status, attempts: [{ status: attempt }] });
    expect(await world.ledger()).toHaveLength(1);
    await expectSound(world);
  });

  it('that never arrived is made under a new yes, with the same key', async () => {
    const world = await engineWorld();
    const worker = bySameKey(world, { neverArrives: 1 });
    await lostTry(world, worker, 'pm_sandbox_success');
    expect(world.server.lookups).toHaveLength(1);
    world.clock.passMs(2 * secondMs);
    await worker.settle();
    expect(world.server.lookups).toHaveLength(2);
    expect(new Set(worker.keys).size).toBe(1);
    expect((await world.payment()).status).toBe('recovered');
    expect(await world.ledger()).toHaveLength(1);
    await expectSound(world);
  });
});

it('a no that its key gets when it is sent again says nothing of the first time', async () => {
  const world = await engineWorld();
  const says = { kind: 'not_made', reason: 'the credentials were refused' } as const;
  const worker = bySameKey(world, { neverArrives: 1, says });
  await lostTry(world, worker, 'pm_sandbox_success');
  world.clock.passMs(2 * secondMs);
  await worker.settle();
  expect(worker.keys).toHaveLength(2);
  expect((await world.payment()).attempts[0]?.status).toBe('unknown');
  expect(await world.rows('select reason from psp_transactions')).toEqual([
    { reason: says.reason },
  ]);
});

describe('its key is not sent again', () => {
  async function looked(
    world: EngineWorld,
    before: (worker: Worker) => Promise<void> | void,
    more: Parameters<typeof bySameKey>[1] = {},
  ): Promise<string> {
    const worker = bySameKey(world, { neverArrives: 1, ...more });
    await lostTry(world, worker, 'pm_sandbox_success');
    await before(worker);
    world.clock.passMs(2 * secondMs);
    await worker.settle();
    expect(worker.keys).toHaveLength(1);
    expect(await world.ledger()).toEqual([]);
    const [row] = await world.rows<{ reason: string }>('select reason from psp_transactions');
    expect((await world.payment()).attempts[0]?.status).toBe('unknown');
    return row?.reason ?? '';
  }

  it('when the merchant says no meanwhile', async () => {
    const world = await engineWorld();
    const reason = await looked(world, () =>
      world.server.answerLookups({ body: { retry: false, reason: 'User Cancelation' } }),
    );
    expect(reason).toBe('the merchant did not say yes to it again');
  });

  it('when the merchant wants another amount', async () => {
    const world = await engineWorld();
    const reason = await looked(world, () =>
      world.server.answerLookups({ body: { retry: true, reason: 'open', amount: 1 } }),
    );
    expect(reason).toBe('the merchant said yes to another charge than this one');
  });

  it('when the payment is to be stopped', async () => {
    const world = await engineWorld();
    const reason = await looked(world, async (worker) => {
      await worker.stop('in_1', { waits: false });
    });
    expect(reason).toBe('the payment is to be stopped');
  });

  it('when the PSP is about to forget it', async () => {
    const world = await engineWorld();
    const reason = await looked(world, () => undefined, { keyMemoryMs: hourMs + secondMs });
    expect(reason).toBe('the PSP may have forgotten its key');
  });

  it('when its account was replaced', async () => {
    const world = await engineWorld();
    const reason = await looked(world, () => undefined, { isReplaced: true });
    expect(reason).toBe('its account was replaced');
  });

  it('when the window has ended', async () => {
    const world = await engineWorld({ policy: { windowDays: 1, fixedDays: [1] } });
    const reason = await looked(world, () => undefined);
    expect(reason).toBe('the window has ended');
  });
});

it('a record that does not hold a charge is believed two time-outs after it was sent, not before', async () => {
  const world = await engineWorld();
  const { findGateway } = changedGateways(world.deps, (gateway) => ({
    capabilities: { ...gateway.capabilities, recordLagMs: secondMs },
    charge: async () => ({ kind: 'unknown', reason: 'cut off' }),
    async lookUp() {
      world.clock.passMs(answersAfterMs);
      return { kind: 'not_found' };
    },
  }));
  let answersAfterMs = 0;
  const worker = world.worker(() => ({ findGateway }));
  await lostTry(world, worker, 'pm_sandbox_success');
  world.clock.passMs(2 * secondMs);
  const [charge] = await worker.claimUnknown();
  if (charge === undefined) throw new Error('no charge is unknown');
  const payment = await worker.deps.payments.load(charge);
  const merchant = await worker.deps.merchants.findMerchant(charge.merchantId);
  const gateway = await findGateway({ merchantId: charge.merchantId, psp: 'sandbox' });
  if (payment === undefined || merchant === undefined || gateway === undefined) throw new Error();
  const hold = { epoch: 0, leaseUntil: addMs(firstTry, dayMs) };
  const foundAfter = async (passedMs: number) => {
    world.clock.set(addMs(charge.transaction.sentAt, passedMs));
    return (await findCharge(worker.deps, { charge, payment, merchant, gateway, hold })).kind;
  };
  // Two time-outs, the record's lag, and as far as two clocks may be apart.
  const waitMs = 2 * pspTimeoutMs + secondMs + maxClocksApartMs;
  expect(await foundAfter(pspTimeoutMs + secondMs + maxClocksApartMs)).toBe('unknown');
  expect(await foundAfter(waitMs - 1)).toBe('unknown');
  // What counts is when it was asked.
  answersAfterMs = secondMs;
  expect(await foundAfter(waitMs - 1)).toBe('unknown');
  expect(await foundAfter(waitMs)).toBe('not_found');
});

it('a record that lags is not believed when it does not hold the charge yet', async () => {
  const world = await engineWorld();
  const worker = world.worker((deps) =>
    changedGateways(deps, (gateway) => ({
      capabilities: { ...gateway.capabilities, recordLagMs: 5 * minuteMs },
      charge: async () => ({ kind: 'unknown', reason: 'cut off' }),
    })),
  );
  await lostTry(world, worker, 'pm_sandbox_success');
  const seen: string[] = [];
  for (const waitMs of [2 * secondMs, 10 * secondMs, minuteMs, 10 * minuteMs]) {
    world.clock.passMs(waitMs);
    for (const charge of await worker.claimUnknown()) await worker.look(charge);
    seen.push((await world.payment()).attempts[0]?.status ?? 'none');
  }
  expect(seen).toEqual(['unknown', 'unknown', 'unknown', 'not_attempted']);
});
