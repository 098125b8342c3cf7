import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ParsedEvent, WebhookReading } from '../../../src/recovery/psp-ports.ts';
import { stripeEvent } from '../../kits/psps/stripe/failed-invoice.ts';
import { restrictedKey } from '../../kits/psps/stripe/keys.ts';
import type { StripeServer } from '../../kits/psps/stripe-server.ts';
import { brokenPsp } from '../broken-psp.ts';
import {
  type GatewayOptions,
  gatewayTo,
  openGateway,
  serverTime,
  stripe,
  testClock,
} from './stripe-kit.ts';

const ourKey = 'att_0123456789abcdefghjkmnpq-1';

describe('a delivery', () => {
  it('is read where its signature is this endpoint’s', async () => {
    const server = await stripe();
    const event = stripeEvent(server.world, 'plan.created', { id: 'plan_1' });
    expect(await gatewayTo(server).readWebhook(server.signedWebhook(event))).toEqual({
      kind: 'read',
      events: [
        {
          eventId: event.id,
          type: 'plan.created',
          occurredAt: serverTime,
          parsed: { kind: 'not_used' },
        },
      ],
    });
  });

  it('gives the same event each time that it comes', async () => {
    const server = await stripe();
    const gateway = gatewayTo(server);
    const delivery = server.signedWebhook(server.failedSubscriptionInvoice().event);
    expect(await gateway.readWebhook(delivery)).toEqual(await gateway.readWebhook(delivery));
  });

  it('is taken with one valid signature of several, as while a secret is rolled', async () => {
    const server = await stripe();
    const event = stripeEvent(server.world, 'plan.created', { id: 'plan_1' });
    const { rawBody, headers, receivedAt } = server.signedWebhook(event);
    const signature = `${headers['stripe-signature']},v1=${'0'.repeat(64)}`;
    const delivery = { rawBody, receivedAt, headers: { 'stripe-signature': signature } };
    expect(await gatewayTo(server).readWebhook(delivery)).toMatchObject({ kind: 'read' });
  });

  it.each([
    ['the secret of another endpoint', 'whsec_of_another'],
    ['an empty secret', ' '],
  ])('is not taken with %s', async (_what, secret) => {
    const server = await stripe();
    const event = stripeEvent(server.world, 'plan.created', { id: 'plan_1' });
    const delivery = server.signedWebhook(event, secret);
    expect(await gatewayTo(server).readWebhook(delivery)).toEqual({
      kind: 'unverified',
      reason: 'no signature of this endpoint',
    });
  });

  it('is not taken with a changed body', async () => {
    const server = await stripe();
    const event = stripeEvent(server.world, 'plan.created', { id: 'plan_1' });
    const delivery = server.signedWebhook(event);
    const rawBody = Buffer.from(delivery.rawBody.toString().replace('plan_1', 'plan_2'));
    expect(await gatewayTo(server).readWebhook({ ...delivery, rawBody })).toMatchObject({
      kind: 'unverified',
    });
  });

  it('is not taken while the connection has no secret', async () => {
    const server = await stripe();
    const delivery = server.signedWebhook(stripeEvent(server.world, 'plan.created', {}));
    expect(
      await gatewayTo(server, { credentials: { webhook_secret: '' } }).readWebhook(delivery),
    ).toEqual({ kind: 'unverified', reason: 'this connection has no webhook_secret' });
  });

  it.each([
    [300, 'read'],
    [301, 'unverified'],
  ])('signed %i seconds ago is %s', async (ageSeconds, kind) => {
    const server = await stripe();
    const delivery = server.signedWebhook(stripeEvent(server.world, 'plan.created', {}));
    const clock = testClock();
    clock.set(new Date(serverTime.getTime() + ageSeconds * 1000));
    expect(await gatewayTo(server, { clock }).readWebhook(delivery)).toMatchObject({ kind });
  });

  it('is malformed in another encoding', async () => {
    const server = await stripe();
    const gateway = gatewayTo(server);
    const delivery = server.signedWebhook(stripeEvent(server.world, 'plan.created', {}));
    const packed = {
      ...delivery,
      rawBody: gzipSync(delivery.rawBody),
      headers: { ...delivery.headers, 'content-encoding': 'gzip' },
    };
    const latin = { ...delivery, rawBody: Buffer.from([0x7b, 0xe9, 0x7d]) };
    for (const broken of [packed, latin]) {
      expect(await gateway.readWebhook(broken)).toEqual({
        kind: 'malformed',
        reason: 'the body is not plain UTF-8',
      });
    }
  });

  it.each([
    ['a text', 'hello'],
    ['a list', []],
    ['null', null],
    ['an object without a type', { id: 'evt_1', created: 1, data: { object: {} } }],
    ['an event without an object', { id: 'evt_1', type: 'x', created: 1, data: {} }],
    ['a thin event', { id: 'evt_1', object: 'v2.core.event', type: 'x' }],
  ])('is malformed where it is %s', async (_what, body) => {
    const server = await stripe();
    expect(await gatewayTo(server).readWebhook(server.signedWebhook(body))).toMatchObject({
      kind: 'malformed',
    });
  });

  it.each([
    ['another account', {}, 'not_used'],
    ['its account', { account: 'acct_connected' }, 'invoice_closed'],
  ])('of a platform is that of %s', async (_what, credentials, kind) => {
    const server = await stripe();
    const event = stripeEvent(server.world, 'invoice.voided', { id: 'in_1' });
    const parsed = await parsedOf(server, { ...event, account: 'acct_connected' }, { credentials });
    expect(parsed.kind).toBe(kind);
  });

  it.each([
    ['another account', {}, 'acct_of_another', 'not_used'],
    ['its account', {}, 'acct_1', 'invoice_closed'],
    ['its account, by a path', {}, 'org_1/acct_1', 'invoice_closed'],
    ['a platform’s other account', { account: 'acct_connected' }, 'acct_1', 'not_used'],
    [
      'a platform’s account',
      { account: 'acct_connected' },
      'acct_1/acct_connected',
      'invoice_closed',
    ],
    ['nobody in particular', {}, 'org_1', 'invoice_closed'],
    // The key may not read whose it is: nothing tells this account from another.
    [
      'an account unknown',
      { secret_key: restrictedKey('invoice_write') },
      'acct_1',
      'invoice_closed',
    ],
  ])('of an organization is that of %s', async (_what, credentials, context, kind) => {
    const server = await stripe();
    const event = stripeEvent(server.world, 'invoice.voided', { id: 'in_1' });
    const parsed = await parsedOf(server, { ...event, context }, { credentials });
    expect(parsed.kind).toBe(kind);
  });

  it('of an organization is to come again while Stripe does not say whose key this is', async () => {
    const server = await stripe();
    const event = stripeEvent(server.world, 'invoice.voided', { id: 'in_1' });
    const delivery = server.signedWebhook({ ...event, context: 'acct_1' });
    const { url } = await brokenPsp((_request, response) => response.writeHead(500).end('{}'));
    const gateway = openGateway(url, { credentials: server.credentials });
    onTestFinished(() => gateway.close());
    expect(await gateway.readWebhook(delivery)).toMatchObject({ kind: 'unavailable' });
  });

  it('of an organization asks once whose key it is', async () => {
    const server = await stripe();
    const gateway = gatewayTo(server);
    for (const context of ['acct_1', 'acct_of_another', 'acct_1']) {
      const event = stripeEvent(server.world, 'invoice.voided', { id: 'in_1' });
      await gateway.readWebhook(server.signedWebhook({ ...event, context }));
    }
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/account']);
  });
});

describe('an event', () => {
  it.each([
    ['invoice.voided', 'The invoice was voided at Stripe.'],
    ['invoice.marked_uncollectible', 'The invoice was marked uncollectible at Stripe.'],
  ])('%s closes the invoice', async (type, reason) => {
    expect(await parsed(type, { id: 'in_1' })).toEqual({
      kind: 'invoice_closed',
      invoiceId: 'in_1',
      reason,
    });
  });

  it.each([
    ['payment_method.attached', { id: 'pm_1', customer: 'cus_1' }, {}, 'user_added'],
    [
      'payment_method.detached',
      { id: 'pm_1', customer: null },
      { customer: 'cus_1' },
      'user_removed',
    ],
    ['payment_method.updated', { id: 'pm_1', customer: 'cus_1' }, {}, 'user_updated'],
    [
      'payment_method.automatically_updated',
      { id: 'pm_1', customer: 'cus_1' },
      { card: { exp_year: 2026 } },
      'network_updated',
    ],
  ])('%s is a change of a payment method', async (type, object, previous, reason) => {
    expect(await parsed(type, object, previous)).toEqual({
      kind: 'payment_method_updates',
      updates: [{ psp_customer_id: 'cus_1', payment_method_id: 'pm_1', reason }],
    });
  });

  it('about a payment method of nobody is not used', async () => {
    const object = { id: 'pm_1', customer: null };
    expect(await parsed('payment_method.updated', object)).toEqual({ kind: 'not_used' });
  });

  it.each([
    [
      'default method',
      { invoice_settings: { default_payment_method: 'pm_new' } },
      { invoice_settings: { default_payment_method: 'pm_old' } },
      ['pm_new'],
    ],
    ['default source', { default_source: 'card_new' }, { default_source: null }, ['card_new']],
    [
      'both',
      { default_source: 'src_1', invoice_settings: { default_payment_method: { id: 'pm_1' } } },
      { default_source: null, invoice_settings: { default_payment_method: null } },
      ['pm_1', 'src_1'],
    ],
  ])('customer.updated with a new %s updates it', async (_what, object, previous, ids) => {
    expect(await parsed('customer.updated', { id: 'cus_1', ...object }, previous)).toEqual({
      kind: 'payment_method_updates',
      updates: ids.map((id) => ({
        psp_customer_id: 'cus_1',
        payment_method_id: id,
        reason: 'user_updated',
      })),
    });
  });

  it.each([
    ['another field', { email: 'old@example.test' }],
    ['no default any more', { invoice_settings: { default_payment_method: 'pm_old' } }],
    ['other settings of invoices', { invoice_settings: { footer: 'old' } }],
  ])('customer.updated with %s is not used', async (_what, previous) => {
    const customer = { id: 'cus_1', invoice_settings: { default_payment_method: null } };
    expect(await parsed('customer.updated', customer, previous)).toEqual({ kind: 'not_used' });
  });
});

describe('what became of a charge', () => {
  it.each([
    ['pm_success', 'charge.succeeded', 'payment_intent.succeeded', 'succeeded'],
    ['pm_decline', 'charge.failed', 'payment_intent.payment_failed', 'declined'],
  ])('with %s is told by its charge and by its intent', async (method, charge, intent, kind) => {
    const server = await stripe();
    const gateway = gatewayTo(server);
    const result = await gateway.charge({ ...request, paymentMethodId: method });
    expect(result.kind).toBe(kind);
    const [made] = server.world.all('charge');
    const [intentMade] = server.world.all('payment_intent');
    const ofCharge = await parsedOf(server, stripeEvent(server.world, charge, made ?? {}));
    expect(ofCharge).toMatchObject({
      kind: 'charge_settled',
      idempotencyKey: ourKey,
      result: { kind, pspTransactionId: made?.id, networkTransactionId: `ntid${made?.id}` },
    });
    const ofIntent = await parsedOf(server, stripeEvent(server.world, intent, intentMade ?? {}));
    expect(ofIntent).toMatchObject({
      kind: 'charge_settled',
      idempotencyKey: ourKey,
      result: {
        kind,
        pspTransactionId: made?.id,
        told: { amountMinor: request.amountMinor, currency: request.currency, isLive: false },
      },
    });
    if (kind === 'declined') {
      const decline = { category: 'later', code: 'insufficient_funds', networkCode: '51' };
      expect(ofCharge).toMatchObject({ result: { decline } });
      expect(ofIntent).toMatchObject({ result: { decline } });
    }
  });

  it('of an invoice is told by the key of the request that paid it', async () => {
    const server = await stripe();
    const { charge, invoice } = server.failedSubscriptionInvoice();
    const ours = { request: { id: 'req_1', idempotency_key: ourKey } };
    const failed = { ...stripeEvent(server.world, 'charge.failed', charge), ...ours };
    expect(await parsedOf(server, failed)).toMatchObject({
      kind: 'charge_settled',
      idempotencyKey: ourKey,
      result: { kind: 'declined', pspTransactionId: charge.id },
    });
    const again = { ...stripeEvent(server.world, 'invoice.payment_failed', invoice), ...ours };
    expect(await parsedOf(server, again)).toEqual({ kind: 'not_used' });
  });

  it.each([
    ['charge.succeeded', { id: 'ch_1', status: 'succeeded', paid: true, metadata: {} }],
    ['charge.succeeded', { id: 'ch_1', status: 'pending', metadata: ours() }],
    ['payment_intent.succeeded', { id: 'pi_1', status: 'succeeded', metadata: {} }],
    ['payment_intent.payment_failed', { id: 'pi_1', status: 'processing', metadata: ours() }],
    [
      'payment_intent.succeeded',
      { id: 'pi_1', status: 'succeeded', amount: 500, amount_received: 200, metadata: ours() },
    ],
    ['payment_intent.payment_failed', { ...errorOfBefore(), status: 'processing' }],
    ['payment_intent.payment_failed', { ...errorOfBefore(), status: 'of_tomorrow' }],
    ['payment_intent.created', { id: 'pi_1', status: 'succeeded', metadata: ours() }],
  ])('is not told by %s of %j', async (type, object) => {
    expect(await parsed(type, object)).toEqual({ kind: 'not_used' });
  });

  it('is not told by a key of the merchant’s own', async () => {
    const server = await stripe();
    const { charge } = server.failedSubscriptionInvoice();
    const own = { request: { id: 'req_1', idempotency_key: 'order-17' } };
    const event = { ...stripeEvent(server.world, 'charge.failed', charge), ...own };
    expect(await parsedOf(server, event)).toEqual({ kind: 'not_used' });
  });
});

const request = {
  merchantId: 'mer_1',
  invoiceId: 'inv_1',
  idempotencyKey: ourKey,
  amountMinor: 1_999,
  currency: 'USD',
  pspCustomerId: 'cus_1',
};

function ours() {
  return { recoup_idempotency_key: ourKey };
}

function errorOfBefore() {
  const last_payment_error = { type: 'card_error', code: 'card_declined' };
  return { id: 'pi_1', last_payment_error, metadata: ours() };
}

async function parsed(type: string, object: object, previous?: object) {
  const server = await stripe();
  return parsedOf(server, stripeEvent(server.world, type, object, previous));
}

async function parsedOf(
  server: StripeServer,
  event: unknown,
  options: GatewayOptions = {},
): Promise<ParsedEvent> {
  const reading: WebhookReading = await gatewayTo(server, options).readWebhook(
    server.signedWebhook(event),
  );
  if (reading.kind !== 'read') throw new Error(`the webhook was ${reading.kind}`);
  const [event1, ...more] = reading.events;
  if (event1 === undefined || more.length > 0) throw new Error('one event was expected');
  return event1.parsed;
}
