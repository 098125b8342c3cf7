import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayMs } from '../../src/domain/clock.ts';
import { paidEvent } from '../kits/billing-events.ts';
import { choose, expectSound, pressIn, useDashboard } from '../kits/dashboard.ts';
import { startFakeMerchant } from '../kits/fake-merchant.ts';
import { stripeEvent } from '../kits/psps/stripe/failed-invoice.ts';
import { type StripeServer, startStripeServer } from '../kits/psps/stripe-server.ts';
import {
  advance,
  call,
  createMerchant,
  expectStatus,
  operatorApi,
  recoveryApi,
  serviceNow,
} from '../kits/service-calls.ts';

const open: { close(): Promise<void> }[] = [];
let stripe: StripeServer;
const dashboard = useDashboard(async () => {
  stripe = await startStripeServer();
  open.push(stripe);
  return { STRIPE_URL: stripe.url };
});
afterAll(() => Promise.all(open.map((part) => part.close())));

/**
 * Disputes of one merchant: one at Stripe with an analytics record, and one elsewhere that is due
 * sooner.
 */
beforeAll(async () => {
  const { service } = dashboard;
  const server = await startFakeMerchant();
  open.push(server);
  const psps = [{ psp: 'stripe' as const, ...stripe.credentials }];
  const own = await createMerchant(service, server, { name: 'Acme', psps });
  const issued = await expectStatus(
    operatorApi(service).post(`/api/merchants/${own.merchantId}/credentials`, {
      kind: 'disputes_password',
    }),
    201,
  );
  const password = Buffer.from(`${own.merchantId}:${issued.text}`).toString('base64');
  const post = (path: string, body: unknown) =>
    expectStatus(
      call(`${service.disputesUrl}${path}`, {
        method: 'POST',
        headers: { authorization: `Basic ${password}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      200,
    );
  const { charge } = stripe.failedSubscriptionInvoice({ methodId: 'pm_decline' });
  const analyticsRecord = {
    customer_email: 'jane@example.com',
    ipv4_address: '8.8.4.4',
    psp: 'stripe',
  };
  await post('/v1/analytics/', {
    ...analyticsRecord,
    user_agent: 'Mozilla/5.0',
    charge_id: charge.id,
  });
  await reportCharge(own.apiKey, charge.id);
  await tellOfDispute(own.merchantId, charge.id);
  const now = await serviceNow(service);
  await post('/v1/disputes', {
    psp: 'stripe',
    psp_dispute_id: 'du_goods',
    kind: 'dispute',
    stage: 'chargeback',
    status: 'needs_response',
    network: 'visa',
    reason_code: '13.1',
    occurred_at: now.toISOString(),
    opened_at: now.toISOString(),
    respond_by: new Date(now.getTime() + 20 * dayMs).toISOString(),
    amount: 30,
    currency: 'EUR',
    charge_id: 'ch_goods',
  });
  await post('/v1/disputes', {
    psp: 'paypal',
    psp_dispute_id: 'PP-D-0900',
    kind: 'dispute',
    stage: 'inquiry',
    status: 'needs_response',
    occurred_at: new Date(now.getTime() - 30 * dayMs).toISOString(),
    opened_at: new Date(now.getTime() - 30 * dayMs).toISOString(),
    respond_by: new Date(now.getTime() - dayMs).toISOString(),
    amount: 20,
    currency: 'EUR',
    transaction_id: '8RT0900',
  });
  await post('/v1/disputes', {
    psp: 'paypal',
    psp_dispute_id: 'PP-D-1001',
    kind: 'dispute',
    stage: 'inquiry',
    status: 'needs_response',
    occurred_at: now.toISOString(),
    opened_at: now.toISOString(),
    respond_by: new Date(now.getTime() + 2 * dayMs).toISOString(),
    amount: 49,
    currency: 'EUR',
    transaction_id: '8RT1001',
  });
});

async function reportCharge(apiKey: string, charge: string): Promise<void> {
  const { service } = dashboard;
  const at = new Date((await serviceNow(service)).getTime() - dayMs);
  const event = paidEvent({ invoiceId: 'inv_1', methods: ['pm_decline'], psp: 'stripe', at });
  const [transaction] = event.transactions;
  const transactions = [{ ...transaction, psp_transaction_id: charge }];
  await expectStatus(
    recoveryApi(service, apiKey).post('/recover/payments', { ...event, transactions }),
    200,
  );
  await advance(service, 'PT1M');
}

async function tellOfDispute(merchantId: string, charge: string): Promise<void> {
  const { service } = dashboard;
  stripe.world.disputes.open('du_1');
  const created = Math.floor(Date.now() / 1000);
  const event = stripeEvent(stripe.world, 'charge.dispute.created', {
    id: 'du_1',
    object: 'dispute',
    amount: 1223,
    currency: 'usd',
    created,
    charge,
    evidence_details: {
      due_by: created + 14 * 86_400,
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
  });
  const { rawBody, headers } = stripe.signedWebhook({ ...event, created });
  const url = `${service.disputesUrl}/v1/psp/stripe/webhooks/${merchantId}`;
  const body = new Uint8Array(rawBody);
  expect((await call(url, { method: 'POST', headers, body })).status).toBe(200);
}

describe('the disputes', () => {
  test('to answer are listed with the soonest deadline first, and what is due in money', async () => {
    const page = await dashboard.open('/disputes');
    const table = page.getByRole('table', { name: 'Disputes', exact: true });
    await table.getByRole('link', { name: 'PP-D-1001' }).waitFor();
    expect(await table.locator('[data-row]').allInnerTexts()).toEqual([
      'PP-D-1001',
      'du_1',
      'du_goods',
    ]);
    const past = page.getByRole('table', { name: 'Disputes past due' });
    await past.getByRole('link', { name: 'PP-D-0900' }).waitFor();
    expect(await past.locator('[data-row]').allInnerTexts()).toEqual(['PP-D-0900']);
    expect(await past.innerText()).toContain('✕ Past due');
    expect(await table.innerText()).not.toContain('Past due');
    expect(await table.innerText()).toContain('! 2 days left');
    expect(await page.getByText('Due within 7 days').locator('..').innerText()).toContain('€49.00');
    await expectSound(page, 'disputes');
  });

  test('are all listed by status, and an empty list says what to do', async () => {
    const page = await dashboard.open('/disputes?show=all&status=won');
    await page.getByRole('heading', { name: 'There are no such disputes' }).waitFor();
    await choose(page, 'Status', 'Needs response');
    await page.getByRole('link', { name: 'du_1' }).waitFor();
  });
});

describe('one dispute', () => {
  async function openOne(name: string) {
    const page = await dashboard.open('/disputes');
    await page.getByRole('link', { name }).click();
    await page.getByRole('heading', { name }).waitFor();
    return page;
  }

  test('shows its verdict rule by rule, its evidence and its PDF', async () => {
    const page = await openOne('du_1');
    const verdict = page.getByRole('region', { name: /^Visa Compelling Evidence 3.0: it is not/ });
    // What is missing stands once, with every rule that waits for it.
    await verdict.getByText('Name earlier charges of the same card or token.').waitFor();
    expect(await verdict.getByText('Find two priors first.').count()).toBe(1);
    await verdict.getByText(/\d+ rules wait for it/).click();
    await verdict.getByText('The PSP knows the priors').waitFor();
    await verdict.getByText(/\d+ rules? pass/).click();
    await verdict.getByText('✓ pass').first().waitFor();
    await page.getByRole('button', { name: 'Preview the evidence' }).click();
    await page.getByText('SHA-256 of the packet').waitFor();
    await page.getByText('As Stripe gets it').click();
    await page.getByText('8.8.4.4').first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Get the PDF' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^dispute-dis_\w+\.pdf$/);
    await expectSound(page, 'dispute');
  });

  test('of another reason than the test is for does not list what it would need', async () => {
    const page = await openOne('du_goods');
    const verdict = page.getByRole('region', { name: /^Visa Compelling Evidence 3.0/ });
    await verdict.getByRole('heading', { name: 'it does not apply' }).waitFor();
    await verdict.getByText('Answer with ordinary evidence.').waitFor();
    expect(await verdict.getByRole('listitem').count()).toBe(0);
    const unknown = await openOne('PP-D-1001');
    await unknown.getByRole('region', { name: /: not judged$/ }).waitFor();
  });

  test('has its analytics record confirmed by a person', async () => {
    const page = await openOne('du_1');
    await page.getByRole('button', { name: /^Confirm match: ana_/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm the analytics record?' });
    await dialog.waitFor();
    await expectSound(page, 'dispute-confirm-match');
    await pressIn(dialog, 'Confirm');
    await page.getByText('matched, by a person').waitFor();
  });

  test('is staged, then submitted once, after questions that say what will happen', async () => {
    const page = await openOne('du_1');
    await page.getByRole('button', { name: 'Stage', exact: true }).click();
    const staging = page.getByRole('dialog', { name: 'Stage the evidence?' });
    await staging.waitFor();
    await expectSound(page, 'dispute-stage');
    await pressIn(staging, 'Stage');
    await page.getByText('◷ staged').waitFor();
    expect(stripe.world.disputes.find('du_1')?.submissions).toBe(0);
    await page.getByRole('button', { name: 'Submit the evidence' }).click();
    const dialog = page.getByRole('dialog', { name: 'Submit the evidence?' });
    expect(await dialog.innerText()).toContain('Answers 1 dispute of $12.23 at Stripe');
    await expectSound(page, 'dispute-submit');
    await pressIn(dialog, 'Submit');
    await page.getByText('✓ submitted').waitFor();
    expect(stripe.world.disputes.find('du_1')?.submissions).toBe(1);
    expect(await page.getByRole('button', { name: 'Submit the evidence' }).count()).toBe(0);
  });

  test('that no API can answer says so before anybody asks', async () => {
    const page = await openOne('PP-D-1001');
    await page.getByText(/It cannot be answered here\. .*by hand/).waitFor();
    expect(await page.getByRole('button', { name: 'Submit the evidence' }).count()).toBe(0);
  });

  test('that is past due says so, and takes no more evidence', async () => {
    const page = await openOne('PP-D-0900');
    await page.locator('.page-head').getByText('Past due').waitFor();
    await page.getByText(/^It can be neither answered nor accepted here\./).waitFor();
    const added = page.getByRole('region', { name: 'What was added' });
    await added.getByText(/^Nothing more can be added\. The PSP accepted answers until /).waitFor();
    expect(await page.getByRole('button', { name: 'Add to the evidence' }).count()).toBe(0);
    await added.getByRole('button', { name: 'Show what was added' }).click();
    await added.getByText('There is none.').waitFor();
    await added.getByText('There is no file.').waitFor();
    expect(await added.getByRole('textbox').count()).toBe(0);
    expect(await added.locator('input[type="file"]').count()).toBe(0);
    await expectSound(page, 'dispute-past-due');
  });

  test('that is not there says so', async () => {
    const page = await dashboard.open('/disputes/dis_nowhere');
    await page.getByText('There is no dispute with this id.').waitFor();
  });
});
