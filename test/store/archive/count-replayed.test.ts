import { expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { deduplicationId } from '../../../src/merchant/signature.ts';
import { createReplayStore } from '../../../src/store/replays/replay-store.ts';
import { worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import {
  archiveAll,
  breaches,
  counts,
  endedWorld,
  firstEvent,
  redeliver,
} from './archived-world.ts';

const engineWorld = useEngineWorld();

/** Everything is sent again, to the merchant's own address and to its further endpoint. */
async function replayed(world: EngineWorld) {
  const { merchantId, clock } = world;
  const store = createReplayStore(world.db);
  const at = clock.now();
  const action = 'deliveries.replayed';
  const begin = (replayId: string, endpoint: { readonly endpointId?: string } = {}) =>
    store.begin({
      replayId,
      scope: { merchantId, status: 'any', from: worldStart, until: at, ...endpoint },
      at,
      audit: { action, detail: { replay_id: replayId }, at },
    });
  await begin('rpl_own');
  await begin('rpl_further', { endpointId: 'ept_test_1' });
  while (!(await store.step({ merchantId, at, limit: 100 })).isOver);
  await world.settle();
  return async () => (await store.list({ merchantId, limit: 10 })).items;
}

it('what became of a replay is the same once its webhooks are in the archive, and after each way back', async () => {
  const world = await endedWorld(engineWorld);
  const given = await firstEvent(world, 'in_exhausted');
  world.server.answerWebhooks((call) =>
    call.deduplicationId === deduplicationId(given) ? { status: 500, body: {} } : { body: {} },
  );
  const list = await replayed(world);
  await world.runUntil(addMs(world.clock.now(), 20 * dayMs));
  const before = await list();
  expect(before).toMatchObject([
    { replayId: 'rpl_own', exhausted: 1, superseded: 0 },
    { replayId: 'rpl_further', exhausted: 0, superseded: 0 },
  ]);
  expect(before.map(({ queued, delivered }) => queued - delivered)).toEqual([1, 0]);
  await archiveAll(world);
  expect(await counts(world)).toMatchObject({ archived: 3, deliveries: 0 });
  expect(await list()).toEqual(before);
  await redeliver(world, await firstEvent(world));
  expect(await list()).toEqual(before);
  await world.settle();
  await archiveAll(world);
  expect(await counts(world)).toMatchObject({ archived: 3, deliveries: 0 });
  expect(await list()).toEqual(before);
  expect(await breaches(world)).toEqual([]);
});
