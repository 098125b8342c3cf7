import { expect, test } from 'vitest';
import { createIdempotencyKeys } from '../../src/store/idempotency-keys.ts';
import { releaseClaims } from '../../src/store/release-claims.ts';
import { failedEvent } from '../kits/billing-events.ts';
import { useEngineWorld } from '../kits/engine.ts';

const openWorld = useEngineWorld();

test('what a dead process held is free at once, under a higher fence', async () => {
  const world = await openWorld();
  const { db, clock } = world;
  await world.submit(failedEvent());
  expect(await world.claimRequests()).toHaveLength(1);
  await releaseClaims(db, clock.now());
  const requests = await world.claimRequests();
  expect(requests).toHaveLength(1);
  await world.apply(requests);

  const [planned] = await world.claimPayments();
  await releaseClaims(db, clock.now());
  const [again] = await world.claimPayments();
  expect(again?.payment.fence).toBe((planned?.payment.fence ?? 0) + 1);
  expect(await world.claimPayments()).toEqual([]);
});

test('a key of a request under way is free, one with an answer is not', async () => {
  const world = await openWorld();
  const { db, clock, merchantId } = world;
  const keys = createIdempotencyKeys({ db });
  const at = clock.now();
  const keyOf = (key: string) => ({ merchantId, route: 'POST /recover/payments', key });
  const fingerprint = Buffer.alloc(32, 1);
  await keys.begin({ ...keyOf('held'), fingerprint, at });
  await keys.begin({ ...keyOf('answered'), fingerprint, at });
  await keys.complete({ ...keyOf('answered'), status: 200, body: '{}', at });
  clock.passMs(5_000);
  await releaseClaims(db, clock.now());
  const begin = (key: string) => keys.begin({ ...keyOf(key), fingerprint, at: clock.now() });
  expect(await begin('held')).toEqual({ kind: 'new' });
  expect(await begin('answered')).toEqual({ kind: 'replay', status: 200, body: '{}' });
  await world.rows('delete from idempotency_keys');
});
