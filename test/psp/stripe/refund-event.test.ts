import { expect, it } from 'vitest';
import { stripeEvent } from '../../kits/psps/stripe/failed-invoice.ts';
import { gatewayTo, stripe } from './stripe-kit.ts';

/** What an event of a refund means. */
async function parsedOf(type: string, refund: object, request: object = {}) {
  const server = await stripe();
  const object = { id: 're_1', object: 'refund', amount: 2_000, charge: 'ch_1', ...refund };
  const event = {
    ...stripeEvent(server.world, type, object),
    request: { id: 'req_1', ...request },
  };
  const reading = await gatewayTo(server).readWebhook(server.signedWebhook(event));
  return reading.kind === 'read' ? reading.events[0]?.parsed : reading;
}

it('a refund that was made is known by the key of its request', async () => {
  const parsed = await parsedOf(
    'refund.created',
    { status: 'succeeded' },
    { idempotency_key: 'rcr_1' },
  );
  expect(parsed).toEqual({
    kind: 'refund_settled',
    pspTransactionId: 'ch_1',
    refundId: 're_1',
    idempotencyKey: 'rcr_1',
    outcome: 'refunded',
  });
});

it('a refund that failed later is known by the key in its metadata, whoever changed it', async () => {
  const refund = { status: 'failed', metadata: { recoup_idempotency_key: 'rcr_1' } };
  for (const request of [{ idempotency_key: null }, { idempotency_key: 'another' }]) {
    expect(await parsedOf('refund.updated', refund, request)).toMatchObject({
      kind: 'refund_settled',
      idempotencyKey: 'rcr_1',
      outcome: 'failed',
    });
  }
});

it.each(['refund.failed', 'refund.updated', 'charge.refund.updated'])(
  'a refund that failed later is known by its id (%s)',
  async (type) => {
    const failure_reason = 'lost_or_stolen_card';
    expect(await parsedOf(type, { status: 'failed', failure_reason })).toEqual({
      kind: 'refund_settled',
      pspTransactionId: 'ch_1',
      refundId: 're_1',
      outcome: 'failed',
      reason: failure_reason,
    });
  },
);

it.each([
  ['is on its way', { status: 'pending' }],
  ['is of no charge', { status: 'succeeded', charge: null }],
])('a refund that %s says nothing', async (_what, refund) => {
  expect(await parsedOf('refund.updated', refund)).toEqual({ kind: 'not_used' });
});
