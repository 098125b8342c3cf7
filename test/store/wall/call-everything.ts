import { dayMs } from '../../../src/domain/clock.ts';
import { disputesOpenApi } from '../../../src/http/disputes/disputes-open-api.ts';
import { recoveryOpenApi } from '../../../src/http/recovery/recovery-open-api.ts';
import { failedEvent } from '../../kits/billing-events.ts';
import type { FakeMerchant } from '../../kits/fake-merchant.ts';
import { fillPath, operationsOf } from '../../kits/open-api.ts';
import { stripeEvent } from '../../kits/psps/stripe/failed-invoice.ts';
import type { StripeServer } from '../../kits/psps/stripe-server.ts';
import {
  advance,
  call,
  createMerchant,
  expectStatus,
  operatorApi,
  serviceNow,
} from '../../kits/service-calls.ts';
import { tryAs } from './try-statements.ts';

/** Which operations were called, by their ids. */
export type Called = Set<string>;

interface World {
  readonly service: {
    readonly recoveryUrl: string;
    readonly disputesUrl: string;
    readonly operatorUrl: string;
    readonly operatorToken: string;
  };
  readonly stripe: StripeServer;
  readonly server: FakeMerchant;
  /** Moves the clock of the PSP and of the merchant on. */
  pass(durationMs: number): void;
}

interface Ask {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls each operation of the merchants' APIs, on things that are there, and has PSPs tell of some. */
export async function callEverything(world: World, called: Called): Promise<void> {
  const { stripe, server } = world;
  const service = { ...world.service, apiKey: '' };
  const psps = [{ psp: 'stripe', ...stripe.credentials }, { psp: 'sandbox' }] as const;
  const stranger = await createMerchant(service, server, { name: 'Somebody else' });
  const { merchantId, apiKey } = await createMerchant(service, server, {
    psps: [...psps],
    customer_action_events: true,
    customer_page_url: 'https://acme.example/pay/{token}',
  });
  const issued = await expectStatus(
    operatorApi(service).post(`/api/merchants/${merchantId}/credentials`, {
      kind: 'disputes_password',
    }),
    201,
  );
  tryAs(stranger.merchantId);
  const basic = Buffer.from(`${merchantId}:${issued.text}`).toString('base64');
  const port = (url: string, document: object, credentials: Record<string, string>) => {
    const operations = new Map(operationsOf(document).map((each) => [each.operationId, each]));
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
    return async (id: string, ask: Ask = {}): Promise<any> => {
      const operation = operations.get(id);
      if (operation === undefined) throw new Error(`There is no ${id}`);
      called.add(id);
      const body = ask.body ?? operation.body?.examples[0]?.value;
      const { status, json, text } = await call(
        url + fillPath(operation.path, ask.path ?? {}) + (ask.query ?? operation.requiredQuery),
        {
          method: operation.method,
          headers: {
            ...credentials,
            ...(body === undefined ? {} : { 'content-type': operation.body?.mediaType ?? '' }),
            ...ask.headers,
          },
          ...(body === undefined
            ? {}
            : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        },
      );
      if (status === 500) throw new Error(`${id} is answered ${status}: ${text}`);
      return json;
    };
  };
  const recovery = port(service.recoveryUrl, await recoveryOpenApi(), { 'x-api-key': apiKey });
  const disputes = port(service.disputesUrl, await disputesOpenApi(), {
    authorization: `Basic ${basic}`,
  });
  const tell = async (event: object) => {
    const { rawBody, headers } = stripe.signedWebhook(event);
    const url = `${service.disputesUrl}/v1/psp/stripe/webhooks/${merchantId}`;
    const body = new Uint8Array(rawBody);
    await expectStatus(call(url, { method: 'POST', headers, body }), 200);
  };
  const report = async (invoiceId: string, change: object = {}) =>
    recovery('acceptPayment', {
      body: { ...failedEvent({ invoiceId, at: await serviceNow(service) }), ...change },
      headers: { 'idempotency-key': `key_of_${invoiceId}` },
    });

  const methods = ['pm_sandbox_decline_54'];
  await recovery('acceptPayment', {
    body: failedEvent({ invoiceId: 'in_9', methods, at: await serviceNow(service) }),
  });
  const { request_id } = await report('in_1');
  await report('in_1');
  await report('in_2');
  await report('in_3');
  await recovery('showRequest', { path: { request_id } });
  await recovery('listPayments', { query: '?limit=2' });
  await recovery('listPayments', { query: '?status=scheduled&customer_id=cus_1&limit=1' });
  await advance(service, 'PT1S');
  await recovery('retryPayment', { path: { invoice_id: 'in_1' }, body: {} });
  await recovery('stopPayment', { path: { invoice_id: 'in_2' } });
  world.pass(2 * dayMs);
  await advance(service, 'P2D');
  await recovery('showPayment', { path: { invoice_id: 'in_1' } });
  const { events } = await recovery('listEvents');
  const pages = events.flatMap(
    ({ body }: { body: { customer_page_url?: string } }) => body.customer_page_url ?? [],
  );
  const token = String(pages[0]).replace('https://acme.example/pay/', '');
  for (const id of ['showCustomerLink', 'noteCustomerVisit', 'noteCustomerOutcome']) {
    await recovery(id, { path: { token } });
  }
  const message = 'cmg_4c1vbz7p0x9k2m5n8q3r6t0w';
  await recovery('noteMessageBounce', { body: { message, kind: 'bounced' } });
  const portal = { headers: { 'idempotency-key': 'key_of_portal' } };
  await recovery('createPortalLink', portal);
  await recovery('createPortalLink', portal);
  await recovery('revokePortalLinks');
  await recovery('acceptPaymentMethodUpdate');
  await recovery('redeliverEvent', { path: { id: events[0].event_id } });
  const { statements } = await recovery('listStatements');
  await recovery('showStatement', { path: { day: statements[0].day } });

  const { charge, event } = stripe.failedSubscriptionInvoice({ methodId: 'pm_funds_later' });
  await tell(event);
  await tell(event);
  await advance(service, 'PT1S');

  const checkout = {
    customer_email: 'jane@example.com',
    ipv4_address: '8.8.4.4',
    psp: 'stripe',
    user_agent: 'Mozilla/5.0',
    customer_id: 'cus_1',
    charge_id: 'ch_of_jane',
    invoice_id: 'in_1',
  };
  await disputes('ping');
  const { id } = await disputes('createAnalytics', { body: checkout });
  await disputes('createAnalytics');
  await disputes('createAnalyticsBatch');
  await disputes('showAnalytics', { path: { id } });
  const reported = await disputes('reportDispute');
  await disputes('listDisputes');
  await disputes('listDisputes', { query: '?order=deadline' });
  const of = { path: { id: reported.id as string } };
  await disputes('showDispute', of);
  await disputes('stateEvidence', of);
  await disputes('showEvidence', of);
  const added = await disputes('addAttachment', of);
  const file = { path: { ...of.path, attachment_id: added.id as string } };
  await disputes('listAttachments', of);
  await disputes('showAttachment', file);
  await disputes('removeAttachment', file);
  await disputes('addAttachment', of);
  await disputes('confirmMatch', { ...of, body: { analytics_id: id } });
  await disputes('submitDispute', of);
  await disputes('acceptDispute', of);
  await disputes('lookUpOrder');

  stripe.world.disputes.open('du_1');
  const seconds = Math.floor((await serviceNow(service)).getTime() / 1000);
  await tell({
    ...stripeEvent(stripe.world, 'charge.dispute.created', {
      id: 'du_1',
      object: 'dispute',
      amount: 1223,
      currency: 'usd',
      created: seconds,
      charge: charge.id,
      evidence_details: {
        due_by: seconds + (14 * dayMs) / 1000,
        has_evidence: false,
        past_due: false,
        submission_count: 0,
      },
      payment_method_details: {
        type: 'card',
        card: { brand: 'visa', case_type: 'chargeback', network_reason_code: '10.4' },
      },
      reason: 'fraudulent',
      status: 'needs_response',
    }),
    created: seconds,
  });
  const { items } = await disputes('listDisputes');
  for (const each of items) {
    await disputes('showEvidence', { path: { id: each.id } });
    await disputes('submitDispute', { path: { id: each.id } });
    await disputes('acceptDispute', { path: { id: each.id } });
  }
  await disputes('eraseCustomer', { path: { customer_id: 'cus_1' } });
}
