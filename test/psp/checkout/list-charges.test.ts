import { expect, it } from 'vitest';
import { addMs, hourMs } from '../../../src/domain/clock.ts';
import { brokenPsp } from '../broken-psp.ts';
import { checkoutServer, gatewayTo } from './checkout-kit.ts';

const from = new Date('2026-11-02T09:00:00.000Z');
const to = addMs(from, hourMs);
const asked = { merchantId: 'mer_1', from, to };

function chargeOf(number: number, paymentMethodId = 'src_success') {
  return {
    merchantId: 'mer_1',
    invoiceId: `in_${number}`,
    idempotencyKey: `key-${number}`,
    amountMinor: 1_999,
    currency: 'USD',
    paymentMethodId,
  };
}

it('lists the payments of the time by the search, following its links', async () => {
  let now = from;
  const server = await checkoutServer({ now: () => now, maxPageSize: 2 });
  const gateway = gatewayTo(server.url, server.credentials);
  for (let number = 1; number <= 4; number += 1) await gateway.charge(chargeOf(number));
  await gateway.charge(chargeOf(5, 'src_decline_20051'));
  const refunded = server.payment(0);
  await gateway.refund({
    merchantId: 'mer_1',
    invoiceId: 'in_1',
    pspTransactionId: refunded?.id ?? '',
    amountMinor: 500,
    currency: 'USD',
    idempotencyKey: 'refund-1',
  });
  now = addMs(to, 1_000);
  await gateway.charge(chargeOf(6));
  const keys: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = await gateway.listCharges({ ...asked, ...(cursor && { cursor }) });
    if (page.kind !== 'page') throw new Error(JSON.stringify(page));
    keys.push(...page.charges.map((item) => [item.idempotencyKey, item.state, item.refundedMinor]));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(keys).toEqual([
    ['key-5', 'declined', undefined],
    ['key-4', 'succeeded', undefined],
    ['key-3', 'succeeded', undefined],
    ['key-2', 'succeeded', undefined],
    ['key-1', 'succeeded', 500],
  ]);
});

it.each([
  ['says which permission the key lacks', 403, '', 'payments:search'],
  [
    'follows no link to anything else',
    200,
    JSON.stringify({
      data: [],
      _links: { next: { href: 'https://api.checkout.com/payments/pay_1/refunds' } },
    }),
    'not of the search',
  ],
  ['does not take another answer for an empty list', 200, '{}', 'not understood'],
])('%s', async (_what, status, text, words) => {
  const server = await checkoutServer();
  const other = await brokenPsp((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
  const gateway = gatewayTo(other.url, server.credentials);
  expect(await gateway.listCharges(asked)).toMatchObject({
    kind: 'unavailable',
    reason: expect.stringContaining(words),
  });
});
