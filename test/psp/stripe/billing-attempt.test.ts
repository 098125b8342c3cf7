import { describe, expect, it } from 'vitest';
import { isPaid, type PaymentEventBody } from '../../../src/domain/payment-event.ts';
import { compileSchema } from '../../../src/http/check-schema.ts';
import type { Caller } from '../../../src/http/recovery/caller.ts';
import { paymentFaults } from '../../../src/http/recovery/intake/payment-rules.ts';
import { paymentSchema } from '../../../src/http/recovery/intake/payment-schema.ts';
import { firstDecline } from '../../../src/recovery/intake/first-decline.ts';
import { failedInvoice, intentOf, stripeEvent } from '../../kits/psps/stripe/failed-invoice.ts';
import { restrictedKey } from '../../kits/psps/stripe/keys.ts';
import type { StripeObject } from '../../kits/psps/stripe/objects.ts';
import type { StripeServer } from '../../kits/psps/stripe-server.ts';
import { type GatewayOptions, gatewayTo, serverTime, stripe, testClock } from './stripe-kit.ts';

const checkEvent = compileSchema<Caller>(paymentSchema, paymentFaults);

describe('a failed try of Stripe', () => {
  it('is a payment event with all that Stripe knows', async () => {
    const server = await stripe();
    const { invoice, charge, event } = server.failedSubscriptionInvoice();
    const attempt = await read(server, event);
    expect(attempt).toEqual({
      kind: 'billing_attempt',
      pspInvoiceId: invoice.id,
      event: {
        customer: { id: 'cus_1', psp_id: 'cus_1', created_at: '2023-07-22T04:26:40.000Z' },
        subscription: {
          id: expect.stringMatching(/^sub_/),
          start_date: '2023-09-18T01:20:00.000Z',
          product_id: 'prod_1',
          billing: { period: 'month', frequency: 3 },
        },
        invoice: { id: invoice.id, created_at: serverTime.toISOString() },
        transactions: [
          {
            id: charge.id,
            psp_transaction_id: charge.id,
            psp: 'stripe',
            acquirer_country: 'DE',
            amount: 20,
            currency: 'USD',
            funding_source: 'credit',
            payment_method_id: 'pm_decline',
            psp_transaction_created_at: serverTime.toISOString(),
            scheme: 'visa',
            success: false,
            outcome: {
              raw_response_message: 'The bank said: Your card has insufficient funds.',
              psp_response_message: 'Your card has insufficient funds.',
              processor_response_code: '51',
              network_status: 'declined_by_network',
              response_type: 'soft_decline',
            },
            network_transaction_id: `ntid${charge.id}`,
            issuer_country: 'US',
            auth: '123456',
            card_fingerprint: 'AOB934RVNwzk6xtn',
            captured: false,
            refunded: false,
          },
        ],
      },
    });
  });

  it.each([
    ['USD', 'usd', 2_000, 20],
    ['JPY', 'jpy', 500, 500],
    ['KWD', 'kwd', 5_120, 5.12],
    ['ISK', 'isk', 500, 5],
  ])('passes the intake of merchants in %s', async (currency, stripeCurrency, amount, major) => {
    const server = await stripe();
    const { event } = server.failedSubscriptionInvoice({ amount, currency: stripeCurrency });
    const body = await eventOf(server, event);
    expect(checkEvent(body, { psps: ['stripe'] } as unknown as Caller)).toEqual([]);
    expect(body.transactions).toMatchObject([{ amount: major, currency }]);
  });

  it.each([
    ['pm_decline', 'later', 'soft_decline'],
    ['pm_decline_never', 'never', 'hard_decline'],
  ])('with %s keeps its meaning: %s', async (methodId, category, responseType) => {
    const server = await stripe();
    const body = await eventOf(server, server.failedSubscriptionInvoice({ methodId }).event);
    const [transaction] = body.transactions;
    expect(transaction?.outcome.response_type).toBe(responseType);
    if (category === 'later' && transaction !== undefined) {
      expect(firstDecline(transaction)).toMatchObject({ category, networkCode: '51' });
    }
  });

  it('is read from the shape of older API versions too', async () => {
    const server = await stripe();
    const { event, invoice, charge, intent } = server.failedSubscriptionInvoice();
    const newest = await read(server, event);
    for (const old of [
      older(invoice, { charge: charge.id, payment_intent: intent.id }),
      older(invoice, { charge: { id: charge.id }, payment_intent: { id: intent.id } }),
      older(invoice, { payment_intent: intent.id }),
    ]) {
      expect(await read(server, { ...event, data: { object: old } })).toEqual(newest);
    }
  });

  it('finds the subscription on a line where the invoice does not name it', async () => {
    const server = await stripe();
    const { event, invoice } = server.failedSubscriptionInvoice();
    const subscription = server.world.all('subscription')[0]?.id;
    for (const line of [
      { subscription },
      { parent: { subscription_item_details: { subscription } } },
    ]) {
      const object = { ...invoice, parent: null, lines: { data: [line] } };
      expect(await read(server, { ...event, data: { object } })).toMatchObject({
        kind: 'billing_attempt',
      });
    }
  });

  it('is the try of its time, though Stripe has tried again since', async () => {
    const clock = testClock();
    const server = await stripe(clock);
    const first = server.failedSubscriptionInvoice();
    clock.set(new Date(serverTime.getTime() + 60_000));
    server.world.charge(intentOf(server.world, first.invoice), 'pm_decline', 'again');
    const second = stripeEvent(server.world, 'invoice.payment_failed', first.invoice);
    const charges = server.world.all('charge').map(({ id }) => id);
    const ofFirst = await eventOf(server, first.event, { clock });
    const ofSecond = await eventOf(server, second, { clock });
    expect([ofFirst.transactions[0]?.id, ofSecond.transactions[0]?.id]).toEqual(charges);
  });

  it('without a charge tells what the intent says', async () => {
    const server = await stripe();
    const { event, invoice, charge } = server.failedSubscriptionInvoice({
      methodId: 'pm_authentication',
    });
    server.world.objects.delete(charge.id);
    const body = await eventOf(server, event);
    expect(body.transactions).toMatchObject([
      {
        id: intentOf(server.world, invoice).id,
        amount: 20,
        payment_method_id: 'pm_authentication',
        scheme: 'visa',
        outcome: { processor_response_code: 'authentication_required' },
      },
    ]);
  });

  it('without a payment method at all says so', async () => {
    const server = await stripe();
    const { event, charge, intent } = server.failedSubscriptionInvoice();
    server.world.objects.delete(charge.id);
    intent.last_payment_error = null;
    const body = await eventOf(server, event);
    expect(checkEvent(body, { psps: ['stripe'] } as unknown as Caller)).toEqual([]);
    expect(body.transactions).toMatchObject([
      { payment_method_id: 'unknown', scheme: 'unknown', funding_source: 'unknown' },
    ]);
  });
});

describe('a paid invoice of Stripe', () => {
  it.each(['invoice.paid', 'invoice.payment_succeeded'])('is a success by %s', async (type) => {
    const server = await stripe();
    const { invoice } = server.failedSubscriptionInvoice();
    server.world.charge(intentOf(server.world, invoice), 'pm_success', 'of Stripe itself');
    const body = await eventOf(server, stripeEvent(server.world, type, invoice));
    expect(isPaid(body)).toBe(true);
    expect(checkEvent(body, { psps: ['stripe'] } as unknown as Caller)).toEqual([]);
    expect(body.transactions).toMatchObject([
      {
        amount: 20,
        payment_method_id: 'pm_success',
        outcome: { network_status: 'approved_by_network' },
      },
    ]);
  });

  it('outside Stripe is a success without a charge', async () => {
    const server = await stripe();
    const { invoice } = server.failedSubscriptionInvoice();
    Object.assign(invoice, { status: 'paid', amount_paid: 2_000, amount_remaining: 0 });
    const body = await eventOf(server, stripeEvent(server.world, 'invoice.paid', invoice));
    expect(isPaid(body)).toBe(true);
    expect(body.transactions).toMatchObject([{ amount: 20, payment_method_id: 'unknown' }]);
  });

  it('of nothing, as a trial begins with, is not used', async () => {
    const server = await stripe();
    const { invoice } = server.failedSubscriptionInvoice();
    Object.assign(invoice, { status: 'paid', amount_due: 0, amount_paid: 0, amount_remaining: 0 });
    expect(await read(server, stripeEvent(server.world, 'invoice.paid', invoice))).toEqual({
      kind: 'not_used',
    });
  });
});

describe('an invoice that cannot be recovered', () => {
  it('because it is of no subscription is not used', async () => {
    const server = await stripe();
    const { event } = failedInvoice(server.world, { subscription: null });
    expect(await read(server, event)).toEqual({ kind: 'not_used' });
    expect(server.requests).toEqual([]);
  });

  it('because it is gone is not used', async () => {
    const server = await stripe();
    const { event, invoice } = server.failedSubscriptionInvoice();
    server.world.objects.delete(invoice.id);
    expect(await read(server, event)).toEqual({ kind: 'not_used' });
  });

  it('now, because Stripe does not answer, is to be sent again', async () => {
    const server = await stripe();
    const delivery = server.signedWebhook(server.failedSubscriptionInvoice().event);
    const credentials = { secret_key: restrictedKey('invoice_read') };
    expect(await gatewayTo(server, { credentials }).readWebhook(delivery)).toEqual({
      kind: 'unavailable',
      reason: 'Stripe answered HTTP 403 invalid_request_error, the key lacks rak_charge_read',
    });
    await server.close();
    expect(await gatewayTo(server).readWebhook(delivery)).toMatchObject({ kind: 'unavailable' });
  });
});

/** An invoice as API versions before 2025-03-31 give it. */
function older(invoice: StripeObject, own: object): object {
  const { parent, ...rest } = invoice;
  const details = (parent as { subscription_details: { subscription: string } })
    .subscription_details;
  return { ...rest, paid: false, subscription: details.subscription, ...own };
}

async function read(server: StripeServer, event: unknown, options: GatewayOptions = {}) {
  const reading = await gatewayTo(server, options).readWebhook(server.signedWebhook(event));
  if (reading.kind !== 'read') throw new Error(`the webhook was ${reading.kind}`);
  return reading.events[0]?.parsed;
}

async function eventOf(
  server: StripeServer,
  event: unknown,
  options: GatewayOptions = {},
): Promise<PaymentEventBody> {
  const parsed = await read(server, event, options);
  if (parsed?.kind !== 'billing_attempt') throw new Error(`it meant ${parsed?.kind}`);
  return parsed.event;
}
