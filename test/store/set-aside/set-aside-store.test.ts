import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { failureBackoffMs, maxUnreachedTries } from '../../../src/domain/limits.ts';
import type { WorkKey } from '../../../src/recovery/set-aside/set-aside-ports.ts';
import { createSetAsideStore, listSetAside } from '../../../src/store/set-aside/set-aside-store.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { changedGateways } from '../../kits/gateways.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);

interface Case {
  readonly name: string;
  readonly table: string;
  /** A world in which such a row is due, and its name. */
  due(): Promise<{ world: EngineWorld; key: WorkKey }>;
}

async function chargedWorld(method: string) {
  const world = await engineWorld();
  await world.submit(failedEvent({ methods: [method] }));
  await world.settle();
  world.clock.set(firstTry);
  for (const payment of await world.claimPayments()) await world.run(payment);
  return world;
}

async function only(world: EngineWorld, text: string): Promise<string> {
  const [row] = await world.rows<{ id: string }>(text);
  return row?.id ?? 'none';
}

const cases: readonly Case[] = [
  {
    name: 'payment',
    table: 'payments',
    async due() {
      const world = await engineWorld();
      await world.submit(failedEvent());
      await world.settle();
      world.clock.set(firstTry);
      return { world, key: { kind: 'payment', merchantId: world.merchantId, id: 'in_1' } };
    },
  },
  {
    name: 'charge',
    table: 'psp_transactions',
    async due() {
      const world = await chargedWorld('pm_sandbox_lost_success');
      const id = await only(world, 'select idempotency_key as id from psp_transactions');
      return { world, key: { kind: 'charge', merchantId: world.merchantId, id } };
    },
  },
  {
    name: 'delivery',
    table: 'deliveries',
    async due() {
      const world = await chargedWorld('pm_sandbox_success');
      const id = await only(world, 'select event_id as id from deliveries');
      return { world, key: { kind: 'delivery', merchantId: world.merchantId, id } };
    },
  },
  {
    name: 'request',
    table: 'requests',
    async due() {
      const world = await engineWorld();
      await world.submit(failedEvent());
      const id = await only(world, 'select sequence::text as id from requests');
      return { world, key: { kind: 'request', merchantId: world.merchantId, id } };
    },
  },
];

describe.each(cases)('work on a $name that throws', ({ table, due }) => {
  const row = async (world: EngineWorld) => {
    const [found] = await world.rows<{ next_attempt_at: Date | null; failures: number }>(
      `select next_attempt_at, failures, set_aside_at, set_aside_reason from ${table}`,
    );
    return found;
  };

  it('backs off longer each time, and is then set aside, listed and retried', async () => {
    const { world, key } = await due();
    const store = createSetAsideStore(world.db);
    for (const waitMs of failureBackoffMs) {
      const at = world.clock.now();
      expect(await store.noteFailure({ ...key, reason: 'it broke', at })).toBe('backs_off');
      expect((await row(world))?.next_attempt_at).toEqual(addMs(at, waitMs));
    }
    const at = world.clock.now();
    expect(await store.noteFailure({ ...key, reason: 'it broke', at })).toBe('set_aside');
    expect(await row(world)).toMatchObject({
      next_attempt_at: null,
      set_aside_at: at,
      set_aside_reason: 'it broke',
    });
    expect(await listSetAside(world.db, { limit: 10, invoiceId: 'in_other' })).toEqual({
      items: [],
    });
    expect((await listSetAside(world.db, { limit: 10, invoiceId: 'in_1' })).items).toEqual([
      {
        ...key,
        invoiceId: 'in_1',
        reason: 'it broke',
        failures: failureBackoffMs.length + 1,
        setAsideAt: at,
      },
    ]);
    const again = { ...key, at, audit: { action: 'set_aside.retried', detail: {}, at } };
    expect(await store.retry(again)).toBe(true);
    expect(await row(world)).toMatchObject({ next_attempt_at: at, failures: 0 });
    expect(await store.retry(again)).toBe(false);
    expect(await listSetAside(world.db, { limit: 10 })).toEqual({ items: [] });
    await world.settle();
    expect(world.failures).toEqual([]);
  });

  it('that is over meanwhile is no longer that work', async () => {
    const { world, key } = await due();
    await world.runUntil(addMs(worldStart, 60 * dayMs));
    const at = world.clock.now();
    const store = createSetAsideStore(world.db);
    expect(await store.noteFailure({ ...key, reason: 'it broke', at })).toBe('moved');
  });
});

it('a webhook that lay aside for longer than it is sent for has all of its sends when it is retried', async () => {
  const world = await engineWorld();
  const further = await world.addEndpoint({ eventTypes: ['retry_result'] });
  for (const server of [world.server, further.server]) {
    server.answerWebhooks({ status: 500, body: { detail: 'Server is unavailable' } });
  }
  await world.submit(failedEvent());
  await world.runUntil(addMs(firstTry, 2 * dayMs));
  const store = createSetAsideStore(world.db);
  const { merchantId } = world;
  const eventId = await only(world, 'select event_id as id from events');
  const keys = [
    { kind: 'delivery', merchantId, id: eventId },
    { kind: 'endpoint_delivery', merchantId, id: `${eventId}:${further.endpointId}` },
  ] as const;
  for (const key of keys) {
    for (let failures = 0; failures <= failureBackoffMs.length; failures += 1) {
      await store.noteFailure({ ...key, reason: 'it broke', at: world.clock.now() });
    }
  }
  await world.runUntil(addMs(firstTry, 10 * dayMs));
  expect(world.server.webhooks).toHaveLength(5);
  for (const key of keys) {
    const at = world.clock.now();
    await store.retry({ ...key, at, audit: { action: 'set_aside.retried', detail: {}, at } });
  }
  await world.runUntil(addMs(firstTry, 20 * dayMs));
  expect(world.server.webhooks).toHaveLength(15);
  expect(further.server.webhooks).toHaveLength(15);
});

it('a success counts the failures of a payment from nothing again', async () => {
  const world = await engineWorld();
  await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51'] }));
  await world.settle();
  await world.rows('update payments set failures = 3');
  await world.runUntil(firstTry);
  expect(await world.rows('select failures from payments')).toEqual([{ failures: 0 }]);
});

describe('a payment whose tries reach no PSP', () => {
  async function unreached() {
    const world = await engineWorld({ policy: { windowDays: 28 } });
    let charges = 0;
    const worker = world.worker((deps) =>
      changedGateways(deps, () => ({
        async charge() {
          charges += 1;
          return { kind: 'not_made', reason: 'the PSP is away' };
        },
      })),
    );
    await world.submit(failedEvent());
    await world.runUntil(addMs(worldStart, 27 * dayMs), worker);
    return { world, charges: () => charges };
  }

  it('is set aside after so many in a row, and is seen by a person', async () => {
    const { world, charges } = await unreached();
    expect(charges()).toBe(maxUnreachedTries);
    const [aside] = (await listSetAside(world.db, { limit: 10 })).items;
    expect(aside).toMatchObject({
      kind: 'payment',
      id: 'in_1',
      reason: `${maxUnreachedTries} tries in a row reached no PSP`,
    });
    expect(await world.payment()).toMatchObject({ status: 'scheduled' });
    expect(await world.faults()).toEqual([]);
  });

  it('is recovered when the operator retries it', async () => {
    const { world } = await unreached();
    const at = world.clock.now();
    const { merchantId } = world;
    const audit = { action: 'set_aside.retried', detail: {}, at };
    const key = { kind: 'payment', merchantId, id: 'in_1' } as const;
    expect(await createSetAsideStore(world.db).retry({ ...key, at, audit })).toBe(true);
    await world.runUntil(addMs(at, dayMs));
    expect((await world.payment()).status).toBe('recovered');
  });

  it('is tried again when its customer gives another method', async () => {
    const { world } = await unreached();
    await world.submitUpdate({
      customer_id: 'cus_1',
      payment_method_id: 'pm_sandbox_success--new',
      reason: 'user_added',
    });
    await world.runUntil(addMs(world.clock.now(), dayMs));
    expect((await world.payment()).status).toBe('recovered');
  });
});
