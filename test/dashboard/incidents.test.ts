import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewIncident } from '../../src/recovery/incidents/incident-ports.ts';
import { closeAccounted } from '../../src/recovery/reconciliation/close-accounted.ts';
import { createIncidentStore } from '../../src/store/incidents/incident-store.ts';
import { findIncident, listIncidents } from '../../src/store/incidents/read-incidents.ts';
import { failedEvent } from '../kits/billing-events.ts';
import { choose, expectSound, pressIn, useDashboard } from '../kits/dashboard.ts';
import { startFakeMerchant } from '../kits/fake-merchant.ts';
import { type StripeServer, startStripeServer } from '../kits/psps/stripe-server.ts';
import {
  advance,
  createMerchant,
  expectStatus,
  type OwnMerchant,
  operatorApi,
  recoveryApi,
  serviceNow,
} from '../kits/service-calls.ts';

const open: { close(): Promise<void> }[] = [];
let stripe: StripeServer;
let merchant: OwnMerchant;
const dashboard = useDashboard(async () => {
  stripe = await startStripeServer();
  open.push(stripe);
  return { STRIPE_URL: stripe.url };
});
afterAll(() => Promise.all(open.map((part) => part.close())));

beforeAll(async () => {
  const server = await startFakeMerchant();
  open.push(server);
  const psps = [{ psp: 'sandbox' as const }, { psp: 'stripe' as const, ...stripe.credentials }];
  merchant = await createMerchant(dashboard.service, server, { name: 'Acme', psps });
});

/** A payment under recovery, and a charge that Stripe made of it besides. */
async function paidTwice(invoiceId: string): Promise<{ id: string; charge: string }> {
  const { service } = dashboard;
  const at = new Date((await serviceNow(service)).getTime() - 60_000);
  const event = failedEvent({ invoiceId, customerId: invoiceId, at });
  await expectStatus(recoveryApi(service, merchant.apiKey).post('/recover/payments', event), 200);
  await advance(service, 'PT1M');
  const { invoice, intent } = stripe.failedSubscriptionInvoice({ amount: 4200, currency: 'eur' });
  stripe.payByStripeItself(invoice.id, 'pm_success');
  const charge = String(intent.latest_charge);
  const id = await openIncident({
    kind: 'contradiction',
    subject: invoiceId,
    invoiceId,
    charge: `rcp_${invoiceId}`,
    ours: { state: 'declined', amountMinor: 4200, currency: 'EUR', at },
    theirs: {
      state: 'succeeded',
      pspTransactionId: charge,
      amountMinor: 4200,
      currency: 'EUR',
      at: new Date(at.getTime() + 30_000),
    },
    detail: 'the PSP says succeeded of a charge that is recorded as declined',
    at: await serviceNow(service),
  });
  return { id, charge };
}

async function openIncident(incident: Omit<NewIncident, 'merchantId' | 'psp'>): Promise<string> {
  const { merchantId } = merchant;
  const { db } = dashboard;
  const store = createIncidentStore({ db, random: { bytes: randomBytes } });
  expect(await store.open({ merchantId, psp: 'stripe', ...incident })).toBe('opened');
  const { items } = await listIncidents(db, { merchantIds: [merchantId], limit: 1 });
  return items[0]?.incidentId ?? '';
}

describe('incidents', () => {
  test('that are none say what would stand there', async () => {
    const page = await dashboard.open('/incidents');
    await page.getByRole('heading', { name: 'Nothing contradicts the record' }).waitFor();
    await expectSound(page, 'incidents-empty');
  });

  test('are listed by state and merchant, which stand in the address', async () => {
    await paidTwice('in_listed');
    const page = await dashboard.open('/');
    await page.getByRole('link', { name: '1 incident', exact: true }).click();
    const table = page.getByRole('table', { name: 'Incidents' });
    expect(await table.innerText()).toMatch(
      /€42\.00\s+contradiction\s+! Open\s+in_listed\s+declined\s+succeeded/,
    );
    expect(new URL(page.url()).searchParams.get('state')).toBe('unresolved');
    await expectSound(page, 'incidents');
    await choose(page, 'State', 'Dismissed');
    await page.getByRole('heading', { name: 'There are no such incidents' }).waitFor();
    await page.getByRole('button', { name: 'Show all incidents of all merchants' }).click();
    await table.getByText('Acme').waitFor();
    await choose(page, 'State', 'Open');
    await choose(page, 'Merchant', 'Demo merchant');
    await page.getByRole('heading', { name: 'There are no such incidents' }).waitFor();
  });
});

describe('one incident', () => {
  test('shows both records side by side and is refunded after a question', async () => {
    const { id, charge } = await paidTwice('in_refunded');
    const page = await dashboard.open(`/incidents/${id}`);
    await page
      .getByText('Stripe reports the opposite of what is recorded here for this charge.')
      .waitFor();
    await page.getByText('Its invoice is frozen: nothing is charged for it').waitFor();
    const records = page.getByRole('table', { name: 'Both records' });
    expect(await records.innerText()).toMatch(/State\s+declined\s+≠\s+differs:\s+succeeded/);
    expect(await records.innerText()).toMatch(/Amount\s+€42\.00\s+€42\.00/);
    await expectSound(page, 'incident');
    await page.getByRole('button', { name: 'Refund €42.00' }).click();
    const dialog = page.getByRole('dialog', { name: 'Refund €42.00?' });
    expect(await dialog.innerText()).toContain(
      `Refunds €42.00 of the charge ${charge} of in_refunded to the payer through Stripe.`,
    );
    await dialog.getByLabel(/^Who decided it, and why/).fill('paid twice, K. Ito');
    await expectSound(page, 'incident-refund');
    expect(stripe.world.find(charge, 'charge')?.amount_refunded).toBe(0);
    await pressIn(dialog, 'Refund €42.00', { toast: '€42.00 is refunded.' });
    expect(stripe.world.find(charge, 'charge')?.amount_refunded).toBe(4200);
    await page.getByText('paid twice, K. Ito').waitFor();
    await page.getByText(/^re_/).waitFor();
    expect(await page.getByRole('button', { name: 'Dismiss' }).count()).toBe(0);
    await expectSound(page, 'incident-refunded');
  });

  test('whose refund is not certain yet is asked about again', async () => {
    const { id, charge } = await paidTwice('in_refunding');
    stripe.beforeNext('/refunds', 'break');
    const page = await dashboard.open(`/incidents/${id}`);
    await page.getByRole('button', { name: 'Refund €42.00' }).click();
    const dialog = page.getByRole('dialog', { name: 'Refund €42.00?' });
    await dialog.getByLabel(/^Who decided it, and why/).fill('paid twice');
    await pressIn(dialog, 'Refund €42.00', { toast: 'The refund is not confirmed yet.' });
    await page.getByText('▸ refunding').first().waitFor();
    expect(await page.getByRole('button', { name: 'Dismiss' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Ask about the refund' }).click();
    const again = page.getByRole('dialog', { name: 'Ask about the refund?' });
    expect(await again.innerText()).toContain('never made twice');
    await pressIn(again, 'Ask', { toast: '€42.00 is refunded.' });
    expect(stripe.world.find(charge, 'charge')?.amount_refunded).toBe(4200);
  });

  test('is dismissed with a reason, and its payment is charged no more', async () => {
    const { id, charge } = await paidTwice('in_dismissed');
    const page = await dashboard.open(`/incidents/${id}`);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    const dialog = page.getByRole('dialog', { name: 'Dismiss the incident?' });
    expect(await dialog.innerText()).toContain('Keeps the money that Stripe took.');
    await dialog.getByLabel(/^Who decided it, and why/).fill('the payer agrees');
    await pressIn(dialog, 'Dismiss', { toast: 'its payment is stopped' });
    await page.getByText('the payer agrees').waitFor();
    await page.getByText('It was left as it is.').waitFor();
    expect(stripe.world.find(charge, 'charge')?.amount_refunded).toBe(0);
    await page.getByRole('link', { name: 'in_dismissed' }).click();
    await page.getByText('■ stopped').first().waitFor();
  });

  test('of which no money was taken offers no refund, and says why', async () => {
    const id = await openIncident({
      kind: 'missing_at_psp',
      subject: 'missing',
      charge: 'ch_missing',
      ours: {
        state: 'succeeded',
        pspTransactionId: 'ch_missing',
        amountMinor: 100,
        currency: 'EUR',
      },
      detail: 'the list has no such charge',
      at: await serviceNow(dashboard.service),
    });
    const page = await dashboard.open(`/incidents/${id}`);
    await page
      .getByText('no money was taken for this charge: there is nothing to refund')
      .waitFor();
    expect(await page.getByRole('button', { name: /^Refund/ }).count()).toBe(0);
    await page.getByText('no record').waitFor();
  });

  test('that the comparison closed by itself says what was so, and that the charge is on record now', async () => {
    const { db } = dashboard;
    const id = await openIncident({
      kind: 'missing_here',
      subject: 'accounted',
      charge: 'ch_accounted',
      theirs: { state: 'succeeded', pspTransactionId: 'ch_accounted' },
      detail: 'the PSP has a charge that no debt accounts for',
      at: await serviceNow(dashboard.service),
    });
    const page = await dashboard.open(`/incidents/${id}`);
    await page
      .getByText('The list of Stripe has this charge, but it is not recorded here.')
      .waitFor();
    const incident = await findIncident(db, { incidentId: id });
    const found = incident === undefined ? [] : [{ incident, invoiceId: 'in_reported_later' }];
    const closed = await closeAccounted({
      clock: { now: () => new Date() },
      incidents: createIncidentStore({ db, random: { bytes: randomBytes } }),
      findAccounted: async (after) => (after === undefined ? found : []),
    });
    expect(closed).toBe(1);
    await page.reload();
    await page
      .getByText('The list of Stripe had this charge, but it was not recorded here.')
      .waitFor();
    await page
      .getByText(
        'the debt in_reported_later, reported since, accounts for the charge, which is on record now.',
      )
      .waitFor();
    expect(await page.getByText('it is not recorded here').count()).toBe(0);
    await expectSound(page, 'incident-accounted');
  });

  test('that is not there says so', async () => {
    const page = await dashboard.open('/incidents/inc_nowhere');
    await page.getByText('There is no incident with this id.').waitFor();
  });
});

describe('work that was set aside', () => {
  const set = (invoiceIds: readonly string[]) =>
    dashboard.db.pool.query(
      `update payments set set_aside_at = $2, set_aside_reason = '20 tries in a row reached no PSP',
         failures = 6, next_attempt_at = null
       where merchant_id = $1 and invoice_id = any($3)`,
      [merchant.merchantId, new Date(), invoiceIds],
    );

  async function report(invoiceId: string): Promise<void> {
    const at = new Date((await serviceNow(dashboard.service)).getTime() - 60_000);
    const event = failedEvent({ invoiceId, customerId: invoiceId, at });
    const api = recoveryApi(dashboard.service, merchant.apiKey);
    await expectStatus(api.post('/recover/payments', event), 200);
  }

  const left = async (): Promise<number> =>
    (await expectStatus(operatorApi(dashboard.service).get('/api/set-aside'), 200)).items.length;

  test('is listed with its fault, and retried one by one or together', async () => {
    const page = await dashboard.open('/set-aside');
    await page.getByRole('heading', { name: 'No work is set aside' }).waitFor();
    for (const id of ['in_aside_1', 'in_aside_2', 'in_aside_3']) await report(id);
    await advance(dashboard.service, 'PT1M');
    await set(['in_aside_1', 'in_aside_2', 'in_aside_3']);
    await page.goto(new URL('/', dashboard.service.operatorUrl).href);
    await page.getByRole('link', { name: '3 failed jobs are set aside' }).click();
    const table = page.getByRole('table', { name: 'Set aside' });
    await table.getByText('20 tries in a row reached no PSP').first().waitFor();
    await expectSound(page, 'set-aside');
    await page.getByRole('button', { name: 'Retry the payment in_aside_1' }).click();
    const one = page.getByRole('dialog', { name: 'Retry the payment?' });
    expect(await one.innerText()).toContain('1 job is due now; failures count from zero again.');
    await expectSound(page, 'set-aside-retry');
    await pressIn(one, 'Retry', { toast: '1 job is due again.' });
    await page.getByRole('button', { name: 'Retry these 2' }).click();
    await pressIn(page.getByRole('dialog', { name: 'Retry 2 jobs?' }), 'Retry 2', {
      toast: '2 jobs are due again.',
    });
    await page.getByRole('heading', { name: 'No work is set aside' }).waitFor();
    expect(await left()).toBe(0);
  });

  test('that is frozen by an incident is skipped, and the answer says so', async () => {
    await set(['in_listed']);
    const page = await dashboard.open('/set-aside?kind=payment');
    await page.getByRole('button', { name: 'Retry the payment in_listed' }).click();
    await pressIn(page.getByRole('dialog', { name: 'Retry the payment?' }), 'Retry', {
      toast: '0 due again; 1 skipped',
    });
    expect(await left()).toBe(1);
  });

  test('and a frozen payment say on its page why nothing goes on, with the way there', async () => {
    const page = await dashboard.open(`/payments/${merchant.merchantId}/in_listed`);
    await page.getByText('■ Set aside.').waitFor();
    await page.getByText('20 tries in a row reached no PSP').waitFor();
    await page.getByText('■ Frozen.').waitFor();
    await expectSound(page, 'payment-held');
    await page.getByRole('link', { name: '1 incident', exact: true }).click();
    await page.getByRole('table', { name: 'Both records' }).waitFor();
    const other = await dashboard.open(`/payments/${merchant.merchantId}/in_aside_1`);
    await other.getByText('Timeline').waitFor();
    expect(await other.getByText('■ Frozen.').count()).toBe(0);
    await report('in_aside_4');
    await advance(dashboard.service, 'PT1M');
    await set(['in_aside_4']);
    const aside = await dashboard.open(`/payments/${merchant.merchantId}/in_aside_4`);
    await aside.locator('.page-head').getByText('On hold').waitFor();
    await aside.getByText('Nothing is tried before then unless somebody retries it.').waitFor();
    const list = await dashboard.open('/payments?range=all');
    const row = (invoice: string) =>
      list.getByRole('table', { name: 'Payments' }).getByRole('row').filter({ hasText: invoice });
    await row('in_listed').getByText('frozen by an incident').waitFor();
    await row('in_aside_4').getByText('On hold').waitFor();
    await row('in_aside_4').getByText('set aside', { exact: true }).waitFor();
  });
});

test('a payment shows the other ids under which its debt was reported', async () => {
  const at = new Date((await serviceNow(dashboard.service)).getTime() - 60_000);
  const event = failedEvent({ invoiceId: 'in_first_name', customerId: 'cus_joined', at });
  const api = recoveryApi(dashboard.service, merchant.apiKey);
  await expectStatus(api.post('/recover/payments', event), 200);
  await advance(dashboard.service, 'PT1S');
  const again = { ...event, invoice: { ...event.invoice, id: 'in_second_name' } };
  await expectStatus(api.post('/recover/payments', again), 200);
  await advance(dashboard.service, 'PT1S');
  const page = await dashboard.open(`/payments/${merchant.merchantId}/in_first_name`);
  await page.getByText('Also reported as').waitFor();
  await page.getByText('in_second_name', { exact: true }).waitFor();
});

describe('the light of the books', () => {
  test('is green while all holds, with the way to every promise', async () => {
    const page = await dashboard.open('/');
    const light = page.getByRole('region', { name: 'Ledger checks' });
    await light.getByText(/✓ \d+ checks pass/).waitFor();
    await light.getByRole('link', { name: 'All checks' }).click();
    const table = page.getByRole('table', { name: 'Promises' });
    await table.getByText('✓ holds').first().waitFor();
    expect(await page.getByRole('table', { name: 'Differences' }).count()).toBe(0);
    await expectSound(page, 'invariants');
  });

  test('is red with the numbers where sums differ', async () => {
    const { db } = dashboard;
    const key = [merchant.merchantId, '2026-01-02', 'sandbox', 1, 'EUR'];
    await db.pool.query(
      `insert into control_totals (merchant_id, day, psp, connection_version, currency, kind,
         stated_on, items, amount_minor)
       values ($1, $2, $3, $4, $5, 'charged', '-infinity', 1, 4200)`,
      key,
    );
    await db.pool.query('insert into control_differences values ($1, $2, $3, $4, $5, $6)', [
      ...key,
      new Date(),
    ]);
    const page = await dashboard.open('/');
    const light = page.getByRole('region', { name: 'Ledger checks' });
    await light.getByText(/✕ 1 of \d+ checks fail/).waitFor();
    await light.getByText(/1 breach$/).waitFor();
    await expectSound(page, 'overview-books');
    await light.getByRole('link', { name: 'All checks' }).click();
    const differences = page.getByRole('table', { name: 'Differences' });
    expect(await differences.innerText()).toMatch(
      /2026-01-02\s+The sandbox, account 1, EUR\s+€42.00 \(1\)\s+€0.00 \(0\)/,
    );
    await expectSound(page, 'invariants-broken');
  });
});
