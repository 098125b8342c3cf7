import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Psp } from '../../../../src/domain/psps.ts';
import type { PspAdapter } from '../../../../src/psp/adapter.ts';
import { createAdyenAdapter } from '../../../../src/psp/adyen/adapter.ts';
import { createBraintreeAdapter } from '../../../../src/psp/braintree/adapter.ts';
import { createCheckoutAdapter } from '../../../../src/psp/checkout/adapter.ts';
import { createPaypalAdapter } from '../../../../src/psp/paypal/adapter.ts';
import { createStripeAdapter } from '../../../../src/psp/stripe/adapter.ts';
import { createWorldpayAdapter } from '../../../../src/psp/worldpay/adapter.ts';
import type { PspGateway, PspWebhook } from '../../../../src/recovery/psp-ports.ts';
import { type AnalyticsWorld, openAnalyticsWorld } from '../../../kits/analytics-world.ts';
import { signedItem, startAdyenServer } from '../../../kits/psps/adyen-server.ts';
import { startBraintreeServer } from '../../../kits/psps/braintree-server.ts';
import { document } from '../../../kits/psps/braintree-xml.ts';
import { startCheckoutServer } from '../../../kits/psps/checkout-server.ts';
import {
  paypalCredentials,
  paypalDispute,
  paypalEvent,
  signedPaypalWebhook,
  startPaypalServer,
} from '../../../kits/psps/paypal-server.ts';
import { stripeEvent } from '../../../kits/psps/stripe/failed-invoice.ts';
import { startStripeServer } from '../../../kits/psps/stripe-server.ts';
import { signedEvent, startWorldpayServer } from '../../../kits/psps/worldpay-server.ts';

/**
 * A dispute of each PSP in the shape of its docs, from the webhook as it is signed to the analytics
 * record that belongs to it: what the event leaves out is looked up at a server that speaks the
 * PSP's API.
 */
const now = new Date('2026-11-02T09:05:00Z');
const clock = { now: () => now };
const options = (baseUrl: string) => ({ baseUrl, deadlineMs: 5_000, clock });
const closers: (() => Promise<void>)[] = [];
const gateways = new Map<Psp, PspGateway>();

let world: AnalyticsWorld;
let servers: Awaited<ReturnType<typeof start>>;

async function start() {
  const stripe = await startStripeServer({ now: clock.now });
  const adyen = await startAdyenServer();
  const braintree = await startBraintreeServer();
  const checkout = await startCheckoutServer();
  const paypal = await startPaypalServer();
  const worldpay = await startWorldpayServer();
  const all = { stripe, adyen, braintree, checkout, paypal, worldpay };
  const adapters: readonly (readonly [PspAdapter, Readonly<Record<string, string>>])[] = [
    [createStripeAdapter(options(stripe.url)), stripe.credentials],
    [createAdyenAdapter(options(adyen.url)), adyen.credentials],
    [createBraintreeAdapter(options(braintree.url)), braintree.credentials],
    [createCheckoutAdapter(options(checkout.url)), checkout.credentials],
    [createPaypalAdapter(options(paypal.url)), paypalCredentials],
    [createWorldpayAdapter(options(worldpay.url)), worldpay.credentials],
  ];
  for (const [adapter, credentials] of adapters) {
    gateways.set(adapter.capabilities.psp, adapter.connect(credentials));
    closers.push(() => adapter.close());
  }
  for (const server of Object.values(all)) closers.push(() => server.close());
  return all;
}

beforeAll(async () => {
  servers = await start();
  world = await openAnalyticsWorld({}, async ({ psp }) => gateways.get(psp));
});
afterAll(async () => {
  await world.close();
  for (const close of closers) await close();
});

const person = { customer_email: 'jane@example.com', ipv4_address: '8.8.4.4' };

/** What the analytics record and the PSP's webhook came to. */
async function matched(psp: Psp, captured: object, webhook: PspWebhook) {
  const analytics_id = await world.submit({ ...person, psp, ...captured });
  const reading = await gateways.get(psp)?.readWebhook(webhook);
  if (reading?.kind !== 'read') throw new Error(JSON.stringify(reading));
  for (const { parsed, occurredAt } of reading.events) {
    if (parsed.kind !== 'dispute' || parsed.dispute === undefined) throw new Error(parsed.kind);
    const { merchantId } = world.first;
    await world.disputes.ingest({ merchantId, psp, dispute: parsed.dispute, occurredAt });
  }
  const { items } = JSON.parse((await world.call('GET', '/v1/disputes')).text);
  const { id } = items.find((item: { psp: string }) => item.psp === psp);
  const view = JSON.parse((await world.call('GET', `/v1/disputes/${id}`)).text);
  expect(view.matches.map((one: { analytics_id: string }) => one.analytics_id)).toEqual([
    analytics_id,
  ]);
  const [{ score, reasons, is_inherited }] = view.matches;
  return { state: view.match_state, look_up: view.look_up, score, reasons, is_inherited };
}

it('Stripe: by the subscription of the invoice that the disputed charge paid', async () => {
  const { charge, invoice } = servers.stripe.failedSubscriptionInvoice();
  const parent = invoice.parent as { subscription_details: { subscription: string } };
  const { subscription } = parent.subscription_details;
  charge.created = Math.floor(now.getTime() / 1000);
  const object = {
    ...{ id: 'du_1', object: 'dispute', amount: 1000, currency: 'usd', charge: charge.id },
    ...{ created: charge.created, reason: 'fraudulent', status: 'needs_response' },
    payment_method_details: {
      card: { brand: 'visa', case_type: 'chargeback', network_reason_code: '10.4' },
    },
  };
  const event = stripeEvent(servers.stripe.world, 'charge.dispute.created', object);
  const captured = { subscription_id: subscription, customer_id: 'cus_1' };
  expect(await matched('stripe', captured, servers.stripe.signedWebhook(event))).toEqual({
    ...{ state: 'matched', look_up: 'done', score: 81, is_inherited: true },
    reasons: ['subscription', 'customer'],
  });
});

it("Adyen: by the payment's reference", async () => {
  const item = signedItem({
    ...{ eventCode: 'CHARGEBACK', pspReference: 'OPEN1', originalReference: 'PAYMENT1' },
    ...{ merchantReference: 'order-1', reason: 'Fraud', paymentMethod: 'mc' },
    additionalData: { chargebackReasonCode: ' 4837', disputeStatus: 'Undefended' },
  });
  const body = JSON.stringify({ live: 'false', notificationItems: [item] });
  const webhook = { rawBody: Buffer.from(body), headers: {}, receivedAt: now };
  const captured = { charge_id: 'PAYMENT1', invoice_id: 'order-1' };
  expect(await matched('adyen', captured, webhook)).toEqual({
    ...{ state: 'matched', look_up: 'done', score: 100, is_inherited: false },
    reasons: ['charge', 'invoice'],
  });
  const { items } = JSON.parse((await world.call('GET', '/v1/disputes')).text);
  const dispute = items.find((one: { psp: string }) => one.psp === 'adyen');
  // Adyen's API bore the status out, and nothing else of what is not signed.
  expect(dispute.unsigned_fields.toSorted()).toEqual(
    ['network', 'openedAt', 'reason', 'reasonCode', 'reasonFamily'].toSorted(),
  );
});

it("Braintree: by the network's transaction id, which its record has", async () => {
  const charged = await gateways.get('braintree')?.charge({
    ...{ merchantId: 'mer_1', invoiceId: 'in_1', idempotencyKey: 'order-bt' },
    ...{ amountMinor: 1_999, currency: 'EUR', paymentMethodId: 'bt_success' },
  });
  if (charged?.kind !== 'succeeded') throw new Error('the charge was not made');
  const dispute = {
    ...{ id: 'dispute_1', amount: '19.99', 'currency-iso-code': 'EUR', kind: 'chargeback' },
    ...{ reason: 'fraud', 'reason-code': '1040', status: 'open', 'date-opened': '2026-11-01' },
    transaction: { id: charged.pspTransactionId },
  };
  const text = document('notification', {
    ...{ timestamp: '2026-11-02T08:59:30Z', kind: 'dispute_opened', subject: { dispute } },
  });
  const payload = `${Buffer.from(text).toString('base64')}\n`;
  const key = createHash('sha1').update('acme_private').digest();
  const digest = createHmac('sha1', key).update(payload).digest('hex');
  const form = new URLSearchParams({
    bt_signature: `acme_public|${digest}`,
    bt_payload: payload,
  });
  const webhook = { rawBody: Buffer.from(form.toString()), headers: {}, receivedAt: now };
  // Merchants put the network's id into transaction_id, too.
  const captured = { transaction_id: charged.networkTransactionId };
  expect(await matched('braintree', captured, webhook)).toEqual({
    ...{ state: 'matched', look_up: 'done', score: 98, is_inherited: false },
    reasons: ['network_transaction'],
  });
});

it("Checkout.com: by the merchant's reference, with the customer of its record", async () => {
  const charged = await gateways.get('checkout')?.charge({
    ...{ merchantId: 'mer_1', invoiceId: 'in_1', idempotencyKey: 'order-cko' },
    ...{ amountMinor: 1_999, currency: 'EUR', paymentMethodId: 'src_success' },
  });
  if (charged?.kind !== 'succeeded') throw new Error('the charge was not made');
  const data = {
    ...{ id: 'dsp_1', category: 'fraudulent', amount: 1_999, currency: 'EUR' },
    ...{ reason_code: '10.4', payment_id: charged.pspTransactionId, payment_method: 'VISA' },
  };
  const event = {
    ...{ id: 'evt_1', type: 'dispute_evidence_required', created_on: '2026-11-02T08:59:30Z' },
    data,
  };
  const captured = { invoice_id: 'order-cko' };
  expect(await matched('checkout', captured, servers.checkout.signedWebhook(event))).toEqual({
    ...{ state: 'matched', look_up: 'done', score: 96, is_inherited: false },
    reasons: ['invoice', 'email'],
  });
});

it('PayPal: by one of the transactions, and by the invoice number of its record', async () => {
  const [first, second] = paypalDispute().disputed_transactions;
  const disputed_transactions = [{ ...first, invoice_number: 'INV-1' }, second];
  servers.paypal.disputes.set('PP-D-27803', paypalDispute({ disputed_transactions }));
  const captured = { transaction_id: '00D10444LD479032K', invoice_id: 'INV-1' };
  const webhook = signedPaypalWebhook(paypalEvent(paypalDispute()));
  expect(await matched('paypal', captured, webhook)).toEqual({
    ...{ state: 'matched', look_up: 'done', score: 100, is_inherited: false },
    reasons: ['transaction', 'invoice'],
  });
});

it("Worldpay: by the payment's reference, the one thing that its events name", async () => {
  const details = { classification: 'chargeback', type: 'chargedBack' };
  const signed = signedEvent({ ...details, transactionReference: 'order-wp' });
  const { headers, text } = signed;
  const webhook = { rawBody: Buffer.from(text), headers, receivedAt: now };
  expect(await matched('worldpay', { transaction_id: 'order-wp' }, webhook)).toEqual({
    ...{ state: 'matched', look_up: 'done', score: 100, is_inherited: false },
    reasons: ['transaction'],
  });
});
