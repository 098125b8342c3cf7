import { afterAll, expect, test } from 'vitest';
import { dayMs } from '../../src/domain/clock.ts';
import { paidEvent } from '../kits/billing-events.ts';
import { type FakeMerchant, startFakeMerchant } from '../kits/fake-merchant.ts';
import { pdfText } from '../kits/pdf-text.ts';
import { stripeEvent } from '../kits/psps/stripe/failed-invoice.ts';
import { type StripeServer, startStripeServer } from '../kits/psps/stripe-server.ts';
import { useServices } from '../kits/service.ts';
import {
  advance,
  call,
  createMerchant,
  expectStatus,
  operatorApi,
  recoveryApi,
  serviceNow,
} from '../kits/service-calls.ts';

const services = useServices();
const open: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(open.map((part) => part.close())));

/** A merchant whose customer checked out ten renewals ago, and the calls of its checkout. */
async function disputedWorld() {
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const stripe: StripeServer = await startStripeServer({ now });
  const server: FakeMerchant = await startFakeMerchant({ now });
  open.push(stripe, server);
  const service = await services.start({ env: { STRIPE_URL: stripe.url } });
  const { merchantId, apiKey } = await createMerchant(service, server, {
    psps: [{ psp: 'stripe', ...stripe.credentials }],
  });
  const issued = await expectStatus(
    operatorApi(service).post(`/api/merchants/${merchantId}/credentials`, {
      kind: 'disputes_password',
    }),
    201,
  );
  const password = Buffer.from(`${merchantId}:${issued.text}`).toString('base64');
  const ask = (method: string, path: string, body?: unknown, headers = {}) =>
    call(`${service.disputesUrl}${path}`, {
      method,
      headers: {
        authorization: `Basic ${password}`,
        'content-type': 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  /** Moves the service's clock and Stripe's. */
  async function passDays(days: number): Promise<void> {
    aheadMs += days * dayMs;
    await advance(service, `P${days}D`);
  }
  const recovery = recoveryApi(service, apiKey);
  return { stripe, service, merchantId, recovery, ask, passDays };
}

type World = Awaited<ReturnType<typeof disputedWorld>>;

/** Reports the charges of a subscription, a day from one to the next; the last one is today's. */
async function reportRenewals({ service, recovery }: World, charges: readonly string[]) {
  const now = await serviceNow(service);
  for (const [index, charge] of charges.entries()) {
    const at = new Date(now.getTime() - (charges.length - 1 - index) * dayMs);
    const event = paidEvent({
      invoiceId: `inv_${index + 1}`,
      methods: ['pm_decline'],
      psp: 'stripe',
      at,
    });
    const [transaction] = event.transactions;
    const body = {
      ...event,
      subscription: { ...event.subscription, id: 'sub_of_jane', product_id: 'acme_pro' },
      transactions: [{ ...transaction, psp_transaction_id: charge }],
    };
    await expectStatus(recovery.post('/recover/payments', body), 200);
  }
  await advance(service, 'PT1M');
}

async function tellOfDispute(world: World, charge: string): Promise<void> {
  const { stripe, service, merchantId } = world;
  const seconds = (at: Date) => Math.floor(at.getTime() / 1000);
  const now = await serviceNow(service);
  const dispute = {
    id: 'du_tenth',
    object: 'dispute',
    amount: 1223,
    currency: 'usd',
    created: seconds(now),
    charge,
    evidence_details: {
      due_by: seconds(now) + 14 * 86_400,
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
  };
  const event = stripeEvent(stripe.world, 'charge.dispute.created', dispute);
  const { rawBody, headers } = stripe.signedWebhook({ ...event, created: seconds(now) });
  const url = `${service.disputesUrl}/v1/psp/stripe/webhooks/${merchantId}`;
  const told = await call(url, { method: 'POST', headers, body: new Uint8Array(rawBody) });
  expect(told.status).toBe(200);
}

test("a subscription's tenth renewal, disputed at Stripe, is answered with its first checkout", async () => {
  const world = await disputedWorld();
  const { ask, stripe, service, passDays } = world;
  const past = Array.from({ length: 10 }, (_, index) => `ch_past_${index}`);
  const captured = await expectStatus(
    ask('POST', '/v1/analytics/', {
      customer_email: 'jane@example.com',
      ipv4_address: '8.8.4.4',
      psp: 'stripe',
      user_agent: 'Mozilla/5.0',
      charge_id: past[0],
    }),
    200,
  );
  await passDays(11);
  const { charge } = stripe.failedSubscriptionInvoice({ methodId: 'pm_decline' });
  await reportRenewals(world, [...past, charge.id]);
  stripe.world.disputes.open('du_tenth');
  await tellOfDispute(world, charge.id);

  const [listed] = (await expectStatus(ask('GET', '/v1/disputes'), 200)).items;
  const path = `/v1/disputes/${listed.id}`;
  expect(await expectStatus(ask('GET', path), 200)).toMatchObject({
    psp_dispute_id: 'du_tenth',
    match_state: 'matched',
    matches: [{ analytics_id: captured.id, reasons: ['subscription'], is_inherited: true }],
    verdict: { rule_set: { id: 'visa_ce3' }, eligible: false },
  });
  const stated = { merchandise_or_services: 'services', product_description: 'Acme Pro' };
  await expectStatus(ask('POST', `${path}/evidence`, stated), 200);
  const evidence = await expectStatus(ask('GET', `${path}/evidence`), 200);
  // Visa wants priors that are older; all else holds.
  expect(
    evidence.verdict.rules
      .filter((rule: { result: string }) => rule.result !== 'pass')
      .map((rule: { id: string }) => rule.id)
      .slice(0, 1),
  ).toEqual(['prior_window']);
  const pdf = await fetch(`${service.operatorUrl}/api/disputes/${listed.id}/evidence`, {
    headers: { authorization: `Bearer ${service.operatorToken}`, accept: 'application/pdf' },
  });
  expect(pdfText(new Uint8Array(await pdf.arrayBuffer()))).toContain('du_tenth');

  const submitted = await expectStatus(ask('POST', `${path}/submit`), 200);
  expect(submitted).toMatchObject({
    state: 'submitted',
    content_hash: evidence.content_hash,
  });
  expect(await expectStatus(ask('POST', `${path}/submit`), 200)).toEqual(submitted);
  const operator = operatorApi(service);
  const again = operator.post(`/api/disputes/${listed.id}/submit`, {});
  expect(await expectStatus(again, 200)).toEqual(submitted);
  const atStripe = stripe.world.disputes.find('du_tenth');
  expect(atStripe?.submissions).toBe(1);
  expect(atStripe?.staged).toMatchObject([
    { customer_purchase_ip: '8.8.4.4', customer_email_address: 'jane@example.com' },
  ]);
  const shown = await expectStatus(operator.get(`/api/disputes/${listed.id}`), 200);
  expect(shown).toMatchObject({ submission: submitted, verdict: evidence.verdict });
});
