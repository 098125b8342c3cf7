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

/** An answer to the charge that is decided on now, on what is known of it. */
async function decided({ world, find }: Awaited<ReturnType<typeof declined>>): Promise<LateAnswer> {
  const { merchantId } = world;
  const charge = await find();
  const payment = await world.deps.payments.load({ merchantId, invoiceId: 'in_1' });
  if (charge === undefined || payment === undefined) throw new Error('there is one of each');
  const { fence, revision } = payment;
  const to = { merchantId, invoiceId: 'in_1', fence, revision, charge };
  return { ...to, at: firstTry, stops: true, isTry: true, events: [] };
}

const paymentOf = (world: EngineWorld) =>
  world.rows('select stop_reason, stop_detail, attempt_count, fence, revision from payments');

it('what was decided on a payment or a charge that has moved since is not written', async () => {
  const found = await declined();
  const { world } = found;
  await world.rows(`update payments set stop_reason = 'merchant_stop', stop_detail = 'cancelled'`);
  const answer = await decided(found);
  const { charge, fence, revision } = answer;
  const before = await paymentOf(world);
  const other = { ...charge, transaction: { ...charge.transaction, state: 'unknown' as const } };
  for (const moved of [{ fence: fence - 1 }, { revision: revision + 1 }, { charge: other }]) {
    expect(await world.deps.answers.record({ ...answer, ...moved })).toBe('changed');
    expect(await paymentOf(world)).toEqual(before);
  }
  expect(await world.deps.answers.record(answer)).toBe('recorded');
  expect(await paymentOf(world)).toEqual([
    {
      stop_reason: 'recovered_elsewhere',
      stop_detail: null,
      attempt_count: 2,
      fence: fence + 1,
      revision: revision + 1,
    },
  ]);
});

it('an attempt that its charge carries has a row of its own from then on, and is there once', async () => {
  const found = await declined();
  const { world } = found;
  const attempts = () => world.rows('select * from all_attempts');
  const before = await attempts();
  expect(before).toMatchObject([{ number: 1, state: 'declined', decision: expect.any(Object) }]);
  expect(await world.rows('select from attempts')).toEqual([]);
  const answer = await decided(found);
  expect(await world.deps.answers.record(answer)).toBe('recorded');
  expect(await attempts()).toEqual(before);
  expect(await world.rows('select number, state from attempts')).toEqual([
    { number: 1, state: 'declined' },
  ]);
});

it('what was decided without an attempt that was opened beside it since is decided again', async () => {
  const found = await declined();
  const { world, find } = found;
  const answer = await decided(found);
  await world.rows(
    `insert into attempts (merchant_id, attempt_id, invoice_id, number, state, started_at)
     values ($1, 'att_beside', 'in_1', 2, 'checking', $2)`,
    [world.merchantId, firstTry],
  );
  const before = await paymentOf(world);
  expect(await world.deps.answers.record(answer)).toBe('changed');
  expect(await paymentOf(world)).toEqual(before);
  const known = await find();
  if (known === undefined) throw new Error('the charge is there');
  expect(known.isBeside).toBe(true);
  await world.rows(
    `update attempts set state = 'not_attempted', ended_at = $1 where attempt_id = 'att_beside'`,
    [firstTry],
  );
  expect(await world.deps.answers.record({ ...answer, charge: known })).toBe('changed');
  expect(await paymentOf(world)).toEqual(before);
  expect(await world.deps.answers.record(answer)).toBe('recorded');
});

it('a payment that an answer moves is nobody’s any more, and not due while an incident freezes it', async () => {
  const found = await declined();
  const { world } = found;
  const { fence } = await decided(found);
  const at = addMs(firstTry, dayMs);
  const payment = {
    state: 'scheduled',
    attemptCount: 1,
    postponements: 0,
    dueAction: 'attempt',
    nextAttemptAt: at,
  } as const;
  expect(await world.deps.answers.record({ ...(await decided(found)), payment })).toBe('recorded');
  const moved = 'select fence, next_attempt_at, lease_until from payments';
  expect(await world.rows(moved)).toEqual([
    { fence: fence + 1, next_attempt_at: at, lease_until: null },
  ]);
  await world.rows('update payments set frozen_at = $1, next_attempt_at = null', [firstTry]);
  expect(await world.deps.answers.record({ ...(await decided(found)), payment })).toBe('recorded');
  expect(await world.rows(moved)).toMatchObject([{ fence: fence + 2, next_attempt_at: null }]);
});
