import { describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../../src/domain/clock.ts';
import type { ChargeRequest, RefundRequest } from '../../../src/recovery/psp-ports.ts';
import { gatewayTo, keyOf, serverTime, stripe, testClock } from './stripe-kit.ts';

const charge: ChargeRequest = {
  merchantId: 'mer_1',
  invoiceId: 'inv_1',
  idempotencyKey: keyOf(1),
  amountMinor: 2_000,
  currency: 'USD',
  paymentMethodId: 'pm_success',
  pspCustomerId: 'cus_1',
};

describe('the invoice of a failed charge', () => {
  it('is found by the charge and by its intent', async () => {
    const server = await stripe();
    const gateway = gatewayTo(server);
    const { invoice, charge: failed, intent } = server.failedSubscriptionInvoice();
    for (const pspTransactionId of [failed.id, intent.id]) {
      expect(await gateway.findInvoice({ pspTransactionId })).toEqual({
        kind: 'found',
        pspInvoiceId: invoice.id,
      });
    }
  });

  it('is none of a charge without one, or of an id that is not of Stripe', async () => {
    const server = await stripe();
    const gateway = gatewayTo(server);
    await gateway.charge(charge);
    const made = server.world.all('charge')[0]?.id ?? '';
    const intent = server.world.all('payment_intent')[0]?.id ?? '';
    for (const pspTransactionId of [made, intent, 'txn_of_the_merchant']) {
      expect(await gateway.findInvoice({ pspTransactionId })).toEqual({ kind: 'none' });
    }
  });

  it('is nothing that the account can tell of a charge that it does not have', async () => {
    const gateway = gatewayTo(await stripe());
    for (const pspTransactionId of ['ch_of_another', 'py_of_another', 'pi_of_another']) {
      expect(await gateway.findInvoice({ pspTransactionId })).toEqual({ kind: 'not_known' });
    }
  });

  it('is not known while Stripe does not show it', async () => {
    const server = await stripe();
    const gateway = gatewayTo(server, { credentials: { secret_key: 'sk_test_of_nobody' } });
    expect(await gateway.findInvoice({ pspTransactionId: 'ch_1' })).toMatchObject({
      kind: 'unknown',
    });
  });
});

describe('a refund', () => {
  async function paid(clock = testClock()) {
    const server = await stripe(clock);
    const gateway = gatewayTo(server);
    await gateway.charge(charge);
    const [made] = server.world.all('charge');
    const refund: RefundRequest = {
      merchantId: 'mer_1',
      invoiceId: 'inv_1',
      pspTransactionId: made?.id ?? '',
      amountMinor: 2_000,
      currency: 'USD',
      idempotencyKey: 'refund-1',
    };
    return { gateway, made, refund };
  }

  it('gives the money back once, however often it is asked for', async () => {
    const { gateway, made, refund } = await paid();
    const first = await gateway.refund(refund);
    expect(first).toMatchObject({ kind: 'refunded', refundId: expect.stringMatching(/^re_/) });
    expect(await gateway.refund(refund)).toEqual(first);
    expect(made?.amount_refunded).toBe(2_000);
    const another = await gateway.refund({ ...refund, idempotencyKey: 'refund-2' });
    expect(another).toMatchObject({ kind: 'refused' });
    expect(made?.amount_refunded).toBe(2_000);
  });

  it('is known by its key once Stripe has forgotten that', async () => {
    const clock = testClock();
    const { gateway, made, refund } = await paid(clock);
    const first = await gateway.refund(refund);
    clock.set(new Date(serverTime.getTime() + dayMs));
    expect(await gateway.refund(refund)).toEqual(first);
    expect(made?.amount_refunded).toBe(2_000);
  });

  it('of the same key with another amount is not known', async () => {
    const { gateway, refund } = await paid();
    await gateway.refund({ ...refund, amountMinor: 100 });
    expect(await gateway.refund(refund)).toMatchObject({ kind: 'unknown' });
  });
});

describe('the list of charges', () => {
  it('has every charge of the time once, page by page, with our keys', async () => {
    const clock = testClock();
    const server = await stripe(clock);
    const gateway = gatewayTo(server);
    const made = 130;
    for (let number = 1; number <= made; number += 1) {
      const paymentMethodId = number % 10 === 0 ? 'pm_decline' : 'pm_success';
      await gateway.charge({ ...charge, paymentMethodId, idempotencyKey: keyOf(number) });
    }
    clock.set(new Date(serverTime.getTime() + hourMs));
    await gateway.charge({ ...charge, idempotencyKey: keyOf(999) });
    const asked = {
      merchantId: 'mer_1',
      from: serverTime,
      to: new Date(serverTime.getTime() + hourMs),
    };
    const charges = [];
    let cursor: string | undefined;
    do {
      const page = await gateway.listCharges({ ...asked, ...(cursor && { cursor }) });
      if (page.kind !== 'page') throw new Error(page.kind);
      charges.push(...page.charges);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(new Set(charges.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(made);
    expect(charges).toHaveLength(made);
    expect(charges.filter(({ state }) => state === 'declined')).toHaveLength(made / 10);
    expect(charges[0]).toMatchObject({
      amountMinor: 2_000,
      currency: 'USD',
      createdAt: new Date(serverTime),
      isLive: false,
    });
  });

  it('is not there while Stripe does not show it', async () => {
    const server = await stripe();
    const gateway = gatewayTo(server, { credentials: { secret_key: 'sk_test_of_nobody' } });
    const asked = { merchantId: 'mer_1', from: serverTime, to: serverTime };
    expect(await gateway.listCharges(asked)).toMatchObject({ kind: 'unavailable' });
  });
});
