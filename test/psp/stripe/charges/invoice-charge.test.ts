import { describe, expect, it } from 'vitest';
import { hourMs } from '../../../../src/domain/clock.ts';
import type { ChargeRequest } from '../../../../src/recovery/psp-ports.ts';
import { restrictedKey } from '../../../kits/psps/stripe/keys.ts';
import type { StripeServer } from '../../../kits/psps/stripe-server.ts';
import { brokenPsp } from '../../broken-psp.ts';
import {
  gatewayTo,
  keyOf,
  openGateway,
  sentAt,
  serverTime,
  stripe,
  testClock,
} from '../stripe-kit.ts';

describe('an invoice of Stripe', () => {
  it('is paid there, with our key', async () => {
    const server = await stripe();
    const request = failedInvoiceRequest(server);
    const result = await gatewayTo(server).charge(request);
    const paid = server.world.all('charge').find((charge) => charge.status === 'succeeded');
    expect(result).toEqual({
      kind: 'succeeded',
      pspTransactionId: paid?.id,
      networkTransactionId: `ntid${paid?.id}`,
      card: { fingerprint: 'AOB934RVNwzk6xtn', network: 'visa', credentialForm: 'token' },
      told: { amountMinor: 2_000, currency: 'USD', isLive: false },
    });
    expect(server.world.find(request.pspInvoiceId, 'invoice')).toMatchObject({
      status: 'paid',
      amount_remaining: 0,
    });
    const sent = server.requests.findLast(({ method }) => method === 'POST');
    expect(sent?.path).toBe(`/v1/invoices/${request.pspInvoiceId}/pay`);
    expect(sent?.headers['idempotency-key']).toBe(request.idempotencyKey);
  });

  it('is paid once for one key, whatever became of the first answer', async () => {
    const server = await stripe();
    const gateway = gatewayTo(server);
    const request = failedInvoiceRequest(server);
    const first = await gateway.charge(request);
    expect(await gateway.charge(request)).toEqual(first);
    expect(paidCharges(server)).toHaveLength(1);
  });

  it('that another charge paid is paid elsewhere, and not again', async () => {
    const server = await stripe();
    const gateway = gatewayTo(server);
    const request = failedInvoiceRequest(server);
    const paidElsewhere = {
      kind: 'paid_elsewhere',
      reason: 'the invoice is paid at Stripe, and not by a charge of ours',
    };
    server.payByStripeItself(request.pspInvoiceId, 'pm_success');
    const [paid] = paidCharges(server);
    const elsewhere = { ...paidElsewhere, pspTransactionId: paid?.id };
    expect(await gateway.charge(request)).toEqual(elsewhere);
    expect(await gateway.lookUp({ ...request, sentAt })).toEqual(elsewhere);
    expect(paidCharges(server)).toHaveLength(1);
  });

  it('that is paid at Stripe between our look and our charge is paid elsewhere', async () => {
    const server = await stripe();
    const request = failedInvoiceRequest(server);
    server.beforeNext('/pay', () => server.payByStripeItself(request.pspInvoiceId, 'pm_success'));
    expect(await gatewayTo(server).charge(request)).toMatchObject({ kind: 'paid_elsewhere' });
    expect(paidCharges(server)).toHaveLength(1);
  });

  it('that our forgotten key paid is ours by its mark', async () => {
    const clock = testClock();
    const server = await stripe(clock);
    const gateway = gatewayTo(server);
    const request = failedInvoiceRequest(server);
    const paid = await gateway.charge(request);
    clock.set(new Date(serverTime.getTime() + 25 * hourMs));
    expect(await gateway.lookUp({ ...request, sentAt })).toEqual(paid);
    expect(await gateway.charge(request)).toEqual(paid);
    expect(paidCharges(server)).toHaveLength(1);
  });

  it('declines with the id and the codes of that charge', async () => {
    const server = await stripe();
    const request = { ...failedInvoiceRequest(server), paymentMethodId: 'pm_decline_never' };
    const result = await gatewayTo(server).charge(request);
    const last = server.world.all('charge').at(-1);
    expect(result).toMatchObject({
      kind: 'declined',
      pspTransactionId: last?.id,
      decline: { category: 'never', network: 'mastercard', adviceCode: '03' },
    });
  });

  it('takes a part by an intent that is attached before it is confirmed', async () => {
    const server = await stripe();
    const request = { ...failedInvoiceRequest(server), amountMinor: 500 };
    const gateway = gatewayTo(server);
    const result = await gateway.charge(request);
    expect(result).toMatchObject({ kind: 'succeeded' });
    expect(await gateway.charge(request)).toEqual(result);
    expect(server.world.find(request.pspInvoiceId, 'invoice')).toMatchObject({
      status: 'open',
      amount_paid: 500,
      amount_remaining: 1_500,
    });
    const steps = server.requests
      .slice(0, 4)
      .map(({ path }) => path.replace(/\w+_\d+/, ':id').replace(/\?.*/, ''));
    expect(steps).toEqual([
      '/v1/invoices/:id',
      '/v1/payment_intents',
      '/v1/invoices/:id/attach_payment',
      '/v1/payment_intents/:id/confirm',
    ]);
    expect(server.charges('inv_1')).toMatchObject([{ idempotencyKey: keyOf(1) }]);
  });

  it('finds a part payment whose answer was lost by its key', async () => {
    const server = await stripe();
    const lost = { ...failedInvoiceRequest(server), amountMinor: 500 };
    const gateway = gatewayTo(server);
    for (const [paymentMethodId, kind] of [
      ['pm_lost_success', 'succeeded'],
      ['pm_lost_decline', 'declined'],
      ['pm_lost_before', 'not_found'],
    ] as const) {
      const request = { ...lost, paymentMethodId, idempotencyKey: `att_${paymentMethodId}-0` };
      expect(await gateway.charge(request)).toMatchObject({ kind: 'unknown' });
      expect(await gateway.lookUp({ ...request, sentAt })).toMatchObject({ kind });
    }
  });

  it('takes a part that was never confirmed again, also with another amount', async () => {
    const server = await stripe();
    const part = { ...failedInvoiceRequest(server), amountMinor: 500 };
    const gateway = gatewayTo(server);
    await gateway.charge({ ...part, paymentMethodId: 'pm_lost_before' });
    const changed = { ...part, amountMinor: 600 };
    expect(await gateway.lookUp({ ...changed, sentAt })).toEqual({ kind: 'not_found' });
    expect(await gateway.charge(changed)).toMatchObject({ kind: 'succeeded' });
    expect(server.charges('inv_1')).toMatchObject([{ amountMinor: 600, idempotencyKey: keyOf(1) }]);
    expect(server.world.find(part.pspInvoiceId, 'invoice')).toMatchObject({ amount_paid: 600 });
    const made = server.requests.filter(({ path }) => path === '/v1/payment_intents');
    expect(made).toHaveLength(1);
  });

  it.each([
    ['pm_lost_success', 'succeeded'],
    ['pm_lost_decline', 'declined'],
  ])('is found as what the whole came to where a part was left over (%s)', async (method, kind) => {
    const server = await stripe();
    const whole = { ...failedInvoiceRequest(server), paymentMethodId: method };
    const gateway = gatewayTo(server);
    await gateway.charge({ ...whole, amountMinor: 500, paymentMethodId: 'pm_lost_before' });
    expect(await gateway.charge(whole)).toMatchObject({ kind: 'unknown' });
    expect(await gateway.lookUp({ ...whole, sentAt })).toMatchObject({ kind });
  });

  it.each([
    ['more than is left', { amountMinor: 2_001 }, 'less is left to pay on the invoice at Stripe'],
    ['another currency', { currency: 'EUR' }, 'the invoice at Stripe is in another currency'],
    [
      'an invoice that is not there',
      { pspInvoiceId: 'in_none' },
      expect.stringMatching(/^the invoice was not read: .* HTTP 404 .* resource_missing/),
    ],
  ])('is not charged %s', async (_what, change, reason) => {
    const server = await stripe();
    const request = { ...failedInvoiceRequest(server), ...change };
    expect(await gatewayTo(server).charge(request)).toMatchObject({ kind: 'not_made', reason });
    expect(server.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it('that was voided is not charged', async () => {
    const server = await stripe();
    const request = failedInvoiceRequest(server);
    const invoice = server.world.find(request.pspInvoiceId, 'invoice');
    if (invoice !== undefined) invoice.status = 'void';
    expect(await gatewayTo(server).charge(request)).toEqual({
      kind: 'not_made',
      reason: 'the invoice at Stripe is not open',
    });
  });

  it('may be paid with a source of the time before payment methods', async () => {
    const server = await stripe();
    const request = { ...failedInvoiceRequest(server), paymentMethodId: 'src_1' };
    await gatewayTo(server).charge(request);
    const sent = server.requests.find(({ path }) => path.endsWith('/pay'));
    expect(sent?.body).toContain('source=src_1');
  });

  it.each([400, 402])('for which the payer must act (HTTP %i) is declined', async (status) => {
    const invoice = { id: 'in_1', currency: 'usd', amount_remaining: 2_000, status: 'open' };
    const code = 'invoice_payment_intent_requires_action';
    const psp = await brokenPsp(({ url }, response) => {
      const isPay = url?.endsWith('/pay');
      response.writeHead(isPay ? status : 200);
      const error = { type: 'invalid_request_error', code };
      response.end(JSON.stringify(isPay ? { error } : invoice));
    });
    const gateway = openGateway(psp.url, { credentials: { secret_key: 'sk_test_1' } });
    expect(await gateway.charge({ ...charge, pspInvoiceId: 'in_1' })).toMatchObject({
      kind: 'declined',
      decline: { code: 'authentication_required' },
    });
    await gateway.close();
  });

  it('that Stripe calls paid by another method is not taken for paid by ours', async () => {
    const payment = {
      payment: {
        payment_intent: {
          id: 'pi_1',
          status: 'succeeded',
          amount: 2_000,
          currency: 'usd',
          payment_method: 'pm_other',
        },
      },
    };
    const invoice = { id: 'in_1', currency: 'usd', amount_remaining: 2_000, status: 'open' };
    const psp = await brokenPsp(({ url }, response) => {
      const paid = { ...invoice, status: 'paid', payments: { data: [payment], has_more: false } };
      response.end(JSON.stringify(url?.endsWith('/pay') ? paid : invoice));
    });
    const gateway = openGateway(psp.url, { credentials: { secret_key: 'sk_test_1' } });
    const request = { ...charge, pspInvoiceId: 'in_1' };
    expect(await gateway.charge(request)).toEqual({
      kind: 'unknown',
      reason: 'the invoice at Stripe was paid otherwise',
    });
    await gateway.close();
  });
});

describe('the record of an invoice', () => {
  it.each([
    ['pm_lost_success', 'succeeded'],
    ['pm_lost_decline', 'declined'],
    ['pm_lost_before', 'not_found'],
  ])('settles the payment with %s', async (paymentMethodId, kind) => {
    const server = await stripe();
    const gateway = gatewayTo(server);
    const request = { ...failedInvoiceRequest(server), paymentMethodId };
    expect(await gateway.charge(request)).toMatchObject({ kind: 'unknown' });
    expect(await gateway.lookUp({ ...request, sentAt })).toMatchObject({ kind });
  });

  it('does not take an earlier decline of the same method for the charge', async () => {
    const server = await stripe();
    const gateway = gatewayTo(server);
    const request = { ...failedInvoiceRequest(server), paymentMethodId: 'pm_decline' };
    expect(await gateway.lookUp({ ...request, sentAt })).toEqual({ kind: 'not_found' });
    const first = await gateway.charge(request);
    const next = { ...request, idempotencyKey: keyOf(2) };
    server.beforeNext('/pay', 'break');
    expect(await gateway.charge(next)).toMatchObject({ kind: 'unknown' });
    expect(await gateway.lookUp({ ...next, sentAt })).toEqual({ kind: 'not_found' });
    expect(first.kind).toBe('declined');
  });

  it.each([
    ['ten seconds', 10_000],
    ['ten minutes', 600_000],
    ['ten days', 240 * hourMs],
  ])('settles the payment though our clock is %s ahead', async (_what, aheadMs) => {
    const server = await stripe();
    const ahead = new Date(serverTime.getTime() + aheadMs);
    const gateway = gatewayTo(server, { clock: { now: () => ahead } });
    const request = { ...failedInvoiceRequest(server), paymentMethodId: 'pm_lost_success' };
    expect(await gateway.charge(request)).toMatchObject({ kind: 'unknown' });
    expect(await gateway.lookUp({ ...request, sentAt: ahead })).toMatchObject({
      kind: 'succeeded',
      pspTransactionId: paidCharges(server)[0]?.id,
    });
    expect(paidCharges(server)).toHaveLength(1);
  });

  it('of a try of before there were marks tells nothing while the invoice is open', async () => {
    const server = await stripe();
    const request = { ...failedInvoiceRequest(server), idempotencyKey: 'att_1-0', sentAt };
    expect(await gatewayTo(server).lookUp(request)).toMatchObject({ kind: 'unknown' });
  });

  it('holds no charge of an invoice that the account does not have', async () => {
    const server = await stripe();
    const request = { ...charge, pspInvoiceId: 'in_of_another_account', sentAt };
    expect(await gatewayTo(server).lookUp(request)).toEqual({ kind: 'not_found' });
  });

  it('knows nothing while Stripe does not show it', async () => {
    const server = await stripe();
    const request = { ...failedInvoiceRequest(server), sentAt };
    for (const permissions of [['invoice_read'], ['invoice_payment_read']]) {
      const credentials = { secret_key: restrictedKey(...permissions) };
      const gateway = gatewayTo(server, { credentials });
      expect(await gateway.lookUp(request)).toMatchObject({ kind: 'unknown' });
    }
  });
});

const charge: ChargeRequest = {
  merchantId: 'mer_1',
  invoiceId: 'inv_1',
  idempotencyKey: keyOf(1),
  amountMinor: 2_000,
  currency: 'USD',
  paymentMethodId: 'pm_success',
  pspCustomerId: 'cus_1',
};

function failedInvoiceRequest(server: StripeServer) {
  const { invoice } = server.failedSubscriptionInvoice();
  return { ...charge, pspInvoiceId: invoice.id };
}

function paidCharges(server: StripeServer) {
  return server.world.all('charge').filter(({ status }) => status === 'succeeded');
}
