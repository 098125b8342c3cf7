import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { numberOf, type RequestId } from '../../../src/domain/request-id.ts';
import { findRequest } from '../../../src/store/views/request-views.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';

const engineWorld = useEngineWorld();

const find = (world: EngineWorld, requestId: RequestId, merchantId = world.merchantId) =>
  findRequest(world.db, { merchantId, requestId });

describe('a submitted request', () => {
  it('is found by its receipt, before and after it is applied', async () => {
    const world = await engineWorld();
    const requestId = await world.submit(failedEvent());
    expect(await find(world, requestId)).toEqual({
      requestId,
      kind: 'payment',
      status: 'accepted',
      receivedAt: worldStart,
    });
    world.clock.passMs(5);
    await world.settle();
    expect(await find(world, requestId)).toEqual({
      requestId,
      kind: 'payment',
      status: 'applied',
      receivedAt: worldStart,
      appliedAt: new Date(worldStart.getTime() + 5),
      outcome: { invoice_id: 'in_1', result: 'recovery_started' },
    });
  });

  it('is not found by a receipt that is changed in any part, or that is another’s', async () => {
    const world = await engineWorld();
    const requestId = await world.submit(failedEvent());
    const other = await world.addMerchant();
    const changed: RequestId[] = [
      { ...requestId, uuid: randomUUID() },
      { ...requestId, number: requestId.number + 1n },
      { ...requestId, number: 10n ** 50n },
      { ...requestId, partition: (requestId.partition + 1) % 64 },
    ];
    for (const receipt of changed) expect(await find(world, receipt)).toBeUndefined();
    expect(await find(world, requestId, other.merchantId)).toBeUndefined();
  });

  it('has a receipt that says nothing of how many others there are', async () => {
    const world = await engineWorld();
    const before = await world.submit(failedEvent());
    const { rows } = await world.db.pool.query<{ sequence: string }>(
      'select sequence::text from requests where uuid = $1',
      [before.uuid],
    );
    expect(before.number).toBe(numberOf(before.uuid));
    // One that was given out with the row's number is found still.
    const old = { ...before, number: BigInt(rows[0]?.sequence ?? '') };
    expect(await find(world, old)).toMatchObject({ status: 'accepted' });
  });
});
