import { expect, it } from 'vitest';
import { addMs, hourMs } from '../../../src/domain/clock.ts';
import { listBraintreeCharges } from '../../../src/psp/braintree/list-charges.ts';
import type { ListedCharge, ListedCharges } from '../../../src/recovery/psp-ports.ts';
import { braintreeServer, clock, gatewayTo } from './braintree-kit.ts';

const from = clock.now();
const to = addMs(from, hourMs);

/** Everything that is listed, page by page. */
async function all(list: (cursor: string | undefined) => Promise<ListedCharges>) {
  const charges: ListedCharge[] = [];
  let pages = 0;
  for (let cursor: string | undefined; ; ) {
    const page = await list(cursor);
    if (page.kind !== 'page') throw new Error(JSON.stringify(page));
    pages += 1;
    charges.push(...page.charges);
    cursor = page.nextCursor;
    if (cursor === undefined) return { charges, pages };
  }
}

it('has every sale of the time once over its pages, and no refunds', async () => {
  let now = from;
  const server = await braintreeServer(() => now);
  const gateway = gatewayTo(server.url, server.credentials);
  const charge = (number: number, paymentMethodId = 'bt_success') =>
    gateway.charge({
      merchantId: 'mer_1',
      invoiceId: `in_${number}`,
      idempotencyKey: `key-${number}`,
      amountMinor: 1_999,
      currency: 'USD',
      paymentMethodId,
    });
  for (let number = 1; number <= 58; number += 1) await charge(number);
  await charge(59, 'bt_decline_2001');
  const settled = await charge(60, 'bt_status_settled');
  const pspTransactionId = 'pspTransactionId' in settled ? (settled.pspTransactionId ?? '') : '';
  await gateway.refund({
    merchantId: 'mer_1',
    invoiceId: 'in_60',
    pspTransactionId,
    amountMinor: 500,
    currency: 'USD',
    idempotencyKey: 'refund-60',
  });
  now = addMs(to, 1_000);
  await charge(61);
  const { charges, pages } = await all((cursor) =>
    gateway.listCharges({ merchantId: 'mer_1', from, to, ...(cursor && { cursor }) }),
  );
  expect(pages).toBe(2);
  expect(new Set(charges.map(({ pspTransactionId: id }) => id)).size).toBe(60);
  expect(charges).toHaveLength(60);
  expect(charges.filter(({ state }) => state === 'declined')).toMatchObject([
    { idempotencyKey: 'key-59', amountMinor: 1_999, currency: 'USD', createdAt: from },
  ]);
});

it('names what Braintree charged a subscription for as its webhooks do', async () => {
  const page = await listBraintreeCharges(
    {
      searchCreated: async () => ({ kind: 'answered', status: 200, value: ['tx1', 'tx2'] }),
      findMany: async () => ({
        kind: 'answered',
        status: 200,
        value: [
          {
            ...sale('tx1'),
            subscriptionId: 'sub_1',
            subscription: { billingPeriodStartDate: '2026-11-01' },
          },
          { ...sale('tx2'), status: 'voided' },
        ],
      }),
    },
    { merchantId: 'mer_1', from, to },
  );
  expect(page).toMatchObject({
    charges: [
      { pspTransactionId: 'tx1', pspInvoiceId: 'sub_1:2026-11-01', state: 'succeeded' },
      { pspTransactionId: 'tx2', state: 'succeeded', refundedMinor: 1_999 },
    ],
  });
});

it('halves a time that has more than a search gives', async () => {
  const made = Array.from({ length: 25_000 }, (_, index) => from.getTime() + index * 100);
  const asked: number[] = [];
  const client: Parameters<typeof listBraintreeCharges>[0] = {
    async searchCreated(time) {
      const value = made.flatMap((at, index) =>
        at >= time.from.getTime() && at < time.to.getTime() ? [String(index)] : [],
      );
      asked.push(value.length);
      return { kind: 'answered', status: 200, value };
    },
    findMany: async (ids) => ({ kind: 'answered', status: 200, value: ids.map(sale) }),
  };
  const { charges } = await all((cursor) =>
    listBraintreeCharges(client, { merchantId: 'mer_1', from, to, ...(cursor && { cursor }) }),
  );
  expect(new Set(charges.map(({ pspTransactionId }) => pspTransactionId)).size).toBe(25_000);
  expect(Math.max(...asked.slice(1))).toBeLessThanOrEqual(25_000);
  expect(asked.filter((count) => count > 10_000).length).toBeLessThan(5);
});

function sale(id: string) {
  return {
    id,
    type: 'sale',
    status: 'settled',
    amount: '19.99',
    currencyIsoCode: 'USD',
    createdAt: from.toISOString(),
    orderId: `key-${id}`,
  };
}
