import { expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import type { LateAnswer } from '../../../src/recovery/engine/answers/answer-ports.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);

/** A payment whose first charge was declined, and what finds that charge again. */
async function declined() {
  const world = await engineWorld();
  await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51'] }));
  await world.runUntil(firstTry);
  const [row] = await world.rows<{ key: string }>(
    'select idempotency_key as key from psp_transactions',
  );
  const { merchantId } = world;
  const find = () => world.deps.answers.find({ merchantId, idempotencyKey: row?.key ?? '' });
  return { world, find };
}

const connect = (world: EngineWorld, mode: string) =>
  world.rows(
    `insert into psp_connections (merchant_id, psp, version, mode, created_at)
     values ($1, 'sandbox', 1, $2, $3)`,
    [world.merchantId, mode, worldStart],
  );

it.each([
  ['live', { isLive: true }],
  ['test', { isLive: false }],
  ['sandbox', {}],
  ['unknown', {}],
])(
  'a charge sent through an account of mode %s says whether it moved real money',
  async (...row) => {
    const [mode, said] = row;
    const { world, find } = await declined();
    expect(await find()).not.toHaveProperty('isLive');
    await connect(world, mode);
    const charge = await find();
    expect(charge).toMatchObject({ invoiceId: 'in_1', isTold: true, isBeside: false, ...said });
    if (!('isLive' in said)) expect(charge).not.toHaveProperty('isLive');
  },
);

it('a key that no charge has finds none', async () => {
  const { world } = await declined();
  const { merchantId } = world;
  expect(await world.deps.answers.find({ merchantId, idempotencyKey: 'none' })).toBeUndefined();
});

it('what was decided on a payment or a charge that has moved since is not written', async () => {
  const { world, find } = await declined();
  const charge = await find();
  const payment = await world.deps.payments.load({
    merchantId: world.merchantId,
    invoiceId: 'in_1',
  });
  if (charge === undefined || payment === undefined) throw new Error('there is one of each');
  const answer: LateAnswer = {
    merchantId: world.merchantId,
    invoiceId: 'in_1',
    fence: payment.fence,
    revision: payment.revision,
    at: firstTry,
    charge,
    stops: true,
    isTry: true,
    events: [],
  };
  const columns = 'stop_reason, attempt_count, fence, revision';
  const before = await world.rows(`select ${columns} from payments`);
  const other = { ...charge, transaction: { ...charge.transaction, state: 'unknown' as const } };
  for (const moved of [
    { fence: answer.fence - 1 },
    { revision: answer.revision + 1 },
    { charge: other },
  ]) {
    expect(await world.deps.answers.record({ ...answer, ...moved })).toBe('changed');
    expect(await world.rows(`select ${columns} from payments`)).toEqual(before);
  }
  expect(await world.deps.answers.record(answer)).toBe('recorded');
  expect(await world.rows(`select ${columns} from payments`)).toEqual([
    {
      stop_reason: 'recovered_elsewhere',
      attempt_count: 2,
      fence: payment.fence + 1,
      revision: payment.revision + 1,
    },
  ]);
});
