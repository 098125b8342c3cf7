import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import type { Merchant } from '../../../src/domain/merchant.ts';
import type { PaymentEventBody } from '../../../src/domain/payment-event.ts';
import { numberOf, partitionOf } from '../../../src/domain/request-id.ts';
import { acceptPayment, acceptPaymentMethodUpdate } from '../../../src/recovery/intake/ingest.ts';
import type { NewRequest } from '../../../src/recovery/intake-ports.ts';
import { failedEvent, paidEvent, worldStart } from '../../kits/billing-events.ts';
import { useEngineWorld } from '../../kits/engine.ts';
import { fixedPolicy } from '../../kits/fixed-policy.ts';

const engineWorld = useEngineWorld();
const merchantId = 'mer_1';

/** The use case over a log in memory. */
function intake(policy = fixedPolicy) {
  const appended: NewRequest[] = [];
  const woken: number[] = [];
  const merchant = { merchantId, policy } as Merchant;
  return {
    appended,
    woken,
    deps: {
      clock: { now: () => worldStart },
      log: {
        append: async (request: NewRequest) => {
          appended.push(request);
          return BigInt(appended.length);
        },
      },
      merchants: {
        findMerchant: async (id: string) => (id === merchantId ? merchant : undefined),
        merchantSecrets: () => Promise.reject(new Error('intake needs no secrets')),
      },
      wake: { requests: () => woken.push(appended.length) },
    },
  };
}

async function paymentOf(body: PaymentEventBody, policy = fixedPolicy) {
  const { deps, appended } = intake(policy);
  await acceptPayment(deps, { merchantId, body, uuid: randomUUID() });
  return appended[0]?.failure?.payment;
}

describe('a failed event', () => {
  it('begins the recovery of its invoice, as it stands in the first transaction', async () => {
    const body = failedEvent({
      methods: ['pm_1', 'pm_2', 'pm_1'],
      pspCustomerId: 'psp_cus_1',
      custom: { plan: 'gold' },
      at: addMs(worldStart, -hourMs),
    });
    expect(await paymentOf(body)).toEqual({
      invoiceId: 'in_1',
      customerId: 'cus_1',
      pspCustomerId: 'psp_cus_1',
      subscriptionId: 'sub_of_in_1',
      transactionId: 'txn_in_1_1',
      originalPspTransactionId: 'ch_failed_in_1_1',
      psp: 'sandbox',
      amountMinor: 1223,
      currency: 'USD',
      custom: { plan: 'gold' },
      paymentMethodIds: ['pm_1', 'pm_2'],
      firstDecline: {
        category: 'later',
        code: '51',
        network: 'visa',
        networkCode: '51',
        message: '51: insufficient funds',
        sources: [{ source: 'network_code', said: '51', category: 'later' }],
      },
      failedAt: addMs(worldStart, -hourMs),
      windowEndsAt: addMs(worldStart, 28 * dayMs - hourMs),
      maxAttempts: 8,
    });
  });

  it('has the window and the budget of its merchant', async () => {
    const policy = { ...fixedPolicy, windowDays: 3, maxAttempts: 2 };
    expect(await paymentOf(failedEvent(), policy)).toMatchObject({
      windowEndsAt: addMs(worldStart, 3 * dayMs),
      maxAttempts: 2,
    });
  });

  it('that says it happened in the future happened now', async () => {
    const payment = await paymentOf(failedEvent({ at: addMs(worldStart, dayMs) }));
    expect(payment?.failedAt).toEqual(worldStart);
  });

  it('in a currency without decimals is of whole units', async () => {
    const payment = await paymentOf(failedEvent({ amount: 1223, currency: 'JPY' }));
    expect(payment?.amountMinor).toBe(1223);
  });
});

describe('an accepted request', () => {
  it('has the receipt of the log’s number, and wakes who applies it once it is committed', async () => {
    const { deps, woken } = intake();
    const uuid = randomUUID();
    const receipt = await acceptPayment(deps, { merchantId, body: failedEvent(), uuid });
    expect(receipt).toEqual({ uuid, number: numberOf(uuid), partition: partitionOf(merchantId) });
    expect(woken).toEqual([1]);
  });

  it('of a success begins nothing', async () => {
    expect(await paymentOf(paidEvent())).toBeUndefined();
  });

  it('of an update is kept as it came', async () => {
    const { deps, appended } = intake();
    const body = { psp_customer_id: 'psp_cus_1', payment_method_id: 'pm_1' };
    await acceptPaymentMethodUpdate(deps, { merchantId, body, uuid: randomUUID() });
    expect(appended).toMatchObject([{ kind: 'payment_method_update', body }]);
    expect(appended[0]?.failure?.payment).toBeUndefined();
  });

  it('is not acknowledged where the log refuses it', async () => {
    const { deps, woken } = intake();
    const broken = { ...deps, log: { append: () => Promise.reject(new Error('disk full')) } };
    const accepted = acceptPayment(broken, { merchantId, body: failedEvent(), uuid: randomUUID() });
    await expect(accepted).rejects.toThrow('disk full');
    expect(woken).toEqual([]);
  });

  it('is one, however often its receipt’s UUID comes', async () => {
    const world = await engineWorld();
    const uuid = randomUUID();
    const receipts = await Promise.all(
      Array.from({ length: 5 }, () => world.submit(failedEvent(), uuid)),
    );
    receipts.push(await world.submit(failedEvent(), uuid));
    await world.settle();
    receipts.push(await world.submit(failedEvent(), uuid));
    expect(new Set(receipts.map((receipt) => receipt.number)).size).toBe(1);
    expect(await world.rows('select 1 from requests')).toHaveLength(1);
    expect(await world.rows('select 1 from transactions')).toHaveLength(1);
    expect(await world.claimRequests()).toEqual([]);
  });

  it('takes every text that is one, at the lengths that the API takes', async () => {
    const world = await engineWorld();
    const id = '😀'.repeat(255);
    const outcome = { raw_response_message: `${'x'.repeat(499)}😀` };
    const custom = { 'a\u0001b': 'é😀\n"\\', n: 1e21, deep: { list: [null, true, -0.1] } };
    const event = failedEvent({ invoiceId: id, customerId: id, methods: [id], outcome, custom });
    await world.submit({
      ...event,
      customer: { id, psp_id: id },
      subscription: { ...event.subscription, id },
      transactions: event.transactions.map((transaction) => ({
        ...transaction,
        id,
        psp_transaction_id: id,
        network_transaction_id: id,
        scheme: '😀'.repeat(64),
      })),
    });
    await world.settle();
    expect(await world.payment(id)).toMatchObject({ invoiceId: id, custom });
  });
});
