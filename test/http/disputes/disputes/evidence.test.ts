import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../../src/domain/clock.ts';
import { canonicalJson } from '../../../../src/domain/json/canonical-json.ts';
import { disputesOpenApi } from '../../../../src/http/disputes/disputes-open-api.ts';
import { operatorOpenApi } from '../../../../src/operator/operator-open-api.ts';
import { type AnalyticsWorld, openAnalyticsWorld } from '../../../kits/analytics-world.ts';
import { reportCharges } from '../../../kits/charges.ts';
import { answersOf } from '../../../kits/open-api.ts';
import { pdfText } from '../../../kits/pdf-text.ts';
import { reportDispute } from '../../../kits/report-dispute.ts';

let world: AnalyticsWorld;
let renewalId: string;
beforeAll(async () => {
  world = await openAnalyticsWorld();
  // The database's clock begins now; a subscription of ten months has to have a checkout before.
  const start = world.clock.now();
  await submitAt(addMs(start, -300 * dayMs), {
    ...checkout,
    charge_id: 'ch_1',
    user_agent: 'Mozilla/5.0',
  });
  await reportCharges(
    world,
    Array.from({ length: 10 }, (_, index) => ({
      charge: `ch_${index + 1}`,
      invoice: `in_${index + 1}`,
      daysAgo: 300 - index * 30,
    })),
  );
  renewalId = await report({ psp_dispute_id: 'du_10', charge_id: 'ch_10' });
});
afterAll(() => world.close());

const checkout = { customer_email: 'jane@example.com', ipv4_address: '8.8.4.4', psp: 'stripe' };

/**
 * An analytics record of a time before: the clock of analytics records is moved, as no request can.
 */
async function submitAt(at: Date, body: object): Promise<string> {
  const id = await world.submit(body);
  await world.rows('update analytics set captured_at = $2 where analytics_id = $1', [id, at]);
  return id;
}

function report(ids: { readonly psp_dispute_id: string; readonly [name: string]: unknown }) {
  return reportDispute(world, { psp: 'stripe', network: 'visa', reason_code: '10.4', ...ids });
}

/** A payment that Recoup recovers, with a try of some minutes ago. */
async function tried(invoice: string, method: string): Promise<void> {
  await world.rows(
    `insert into payments (merchant_id, invoice_id, customer_id, transaction_id, original_psp_transaction_id, psp,
       amount_minor, currency, payment_method_ids, first_decline, state, failed_at, window_ends_at, max_attempts,
       created_at, updated_at)
     values ($1, $2, 'cus_own', 'txn_own', 'ch_own', 'stripe', 4900, 'EUR', array[$3], '{}', 'attempting', $4,
       $4::timestamptz + interval '28 days', 8, $4, $4)`,
    [world.first.merchantId, invoice, method, addMs(world.clock.now(), -20 * 60_000)],
  );
  await world.rows(
    `insert into psp_transactions (merchant_id, attempt_id, ordinal, invoice_id, psp, state,
       idempotency_key, payment_method_id, amount_minor, currency, sent_at, attempt_started_at,
       check_answer)
     values ($1, 'att_' || $2, 1, $2, 'stripe', 'sending', 'key_' || $2, $3, 4900, 'EUR', $4, $4,
       '{"retry":true}')`,
    [world.first.merchantId, invoice, method, addMs(world.clock.now(), -10 * 60_000)],
  );
}

const evidenceOf = (id: string, headers: Record<string, string> = {}) =>
  world.call('GET', `/v1/disputes/${id}/evidence`, undefined, headers);

/** Every rule of a verdict by its result. */
// biome-ignore lint/suspicious/noExplicitAny: an answer's JSON
function resultsOf(verdict: any): Record<string, string> {
  return Object.fromEntries(
    verdict.rules.map(({ id, result }: { id: string; result: string }) => [id, result]),
  );
}

describe('a tenth renewal without a checkout of its own', () => {
  it('has the verdict of its first checkout, with what is missing', async () => {
    const { text } = await world.call('GET', `/v1/disputes/${renewalId}`);
    const shown = JSON.parse(text);
    expect(shown).toMatchObject({
      match_state: 'matched',
      matches: [{ reasons: ['subscription'], is_inherited: true }],
      verdict: {
        rule_set: { id: 'visa_ce3', unconfirmed: false },
        eligible: false,
        matching: ['ip', 'email'],
        prior_charges: ['ch_6', 'ch_5'],
      },
    });
    expect(shown.submission).toBeUndefined();
    expect(Object.entries(resultsOf(shown.verdict)).filter(([, one]) => one !== 'pass')).toEqual([
      ['kind_of_goods', 'missing'],
    ]);
  });

  it('is eligible once the merchant says what was sold, and Stripe gets it', async () => {
    const stated = { product_description: 'Acme Pro', merchandise_or_services: 'services' };
    const path = `/v1/disputes/${renewalId}/evidence`;
    expect((await world.call('POST', path, stated)).status).toBe(200);
    const { status, text, headers } = await evidenceOf(renewalId);
    expect(status).toBe(200);
    const packet = JSON.parse(text);
    expect(packet.verdict.eligible).toBe(true);
    expect(packet.content).toMatchObject({
      dispute: { id: 'du_10' },
      charge: {
        id: 'ch_10',
        initiatedBy: 'merchant',
        productDescription: 'Acme Pro',
        elements: { ip: '8.8.4.4', email: 'jane@example.com', inherited: ['email', 'ip'] },
      },
    });
    const timeline = packet.content.timeline.map(({ kind }: { kind: string }) => kind);
    expect(timeline).toEqual(['checkout', 'checkout', ...Array(9).fill('renewal'), 'dispute']);
    expect(packet.psp_evidence.body.enhanced_evidence.visa_compelling_evidence_3).toMatchObject({
      disputed_transaction: {
        customer_purchase_ip: '8.8.4.4',
        merchandise_or_services: 'services',
      },
      prior_undisputed_transactions: [{ charge: 'ch_6' }, { charge: 'ch_5' }],
    });
    const hash = createHash('sha256').update(canonicalJson(packet.content)).digest('hex');
    expect(packet.content_hash).toBe(hash);
    expect(headers.get('etag')).toBe(`"${hash}"`);
    expect(headers.get('vary')).toBe('Accept');
  });

  it('is the same each time, and not sent again to those who have it', async () => {
    const first = await evidenceOf(renewalId);
    world.clock.passMs(60_000);
    const again = await evidenceOf(renewalId);
    expect(again.text).toBe(first.text);
    const etag = again.headers.get('etag') ?? '';
    const known = await evidenceOf(renewalId, { 'if-none-match': etag });
    expect([known.status, known.text]).toEqual([304, '']);
  });

  it('is a PDF for those who ask for one', async () => {
    const answer = await fetch(`${world.url}/v1/disputes/${renewalId}/evidence`, {
      headers: { authorization: world.first.authorization, accept: 'application/pdf' },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('etag')).toMatch(/^"[0-9a-f]{64}-pdf"$/);
    const pages = pdfText(new Uint8Array(await answer.arrayBuffer()));
    expect(pages).toContain('du_10');
    expect(pages).toContain('8.8.4.4');
  });

  it('is documented in each form that it was given in, by both APIs', async () => {
    const json = await evidenceOf(renewalId);
    const pdf = await evidenceOf(renewalId, { accept: 'application/pdf' });
    const etag = json.headers.get('etag') ?? '';
    const known = await evidenceOf(renewalId, { 'if-none-match': etag });
    for (const document of [await disputesOpenApi(), await operatorOpenApi()]) {
      const documented = answersOf(document, 'showEvidence');
      expect([json, pdf].map(({ headers }) => headers.get('content-type'))).toEqual(
        documented.get(json.status)?.mediaTypes,
      );
      expect(documented.get(known.status)).toMatchObject({ mediaTypes: [] });
    }
  });

  it('leaves a line in the audit log for each analytics record that was opened', async () => {
    const lines = await world.rows(
      `select actor, detail from audit_log where action = 'analytics.read'`,
    );
    expect(lines).toContainEqual({
      actor: 'merchant',
      detail: expect.objectContaining({ reason: `evidence of ${renewalId}` }),
    });
    // One analytics record serves all ten charges: each call opened it once.
    expect(lines.length).toBeLessThan(10);
  });
});

it.each([
  ['a prior that was disputed itself', { psp_dispute_id: 'du_6', charge_id: 'ch_6' }],
  [
    'a prior with a fraud report',
    {
      psp_dispute_id: 'fw_5',
      charge_id: 'ch_5',
      kind: 'fraud_warning',
      stage: undefined,
      status: undefined,
    },
  ],
])('%s does not serve', async (_name, ids) => {
  await report(ids);
  const { text } = await evidenceOf(renewalId);
  expect(JSON.parse(text).verdict.prior_charges).not.toContain(ids.charge_id);
});

it("Mastercard's rule set is marked as unconfirmed", async () => {
  const id = await report({
    psp_dispute_id: 'du_mc',
    charge_id: 'ch_10',
    network: 'mastercard',
    reason_code: '4837',
  });
  const { text } = await world.call('GET', `/v1/disputes/${id}`);
  expect(JSON.parse(text).verdict.rule_set).toMatchObject({
    id: 'mastercard_first_party_trust',
    unconfirmed: true,
  });
});

it('a checkout that was matched by the invoice stands in the timeline, whoever reported the charge', async () => {
  await world.submit({ ...checkout, invoice_id: 'in_unreported' });
  const ids = { charge_id: 'ch_unreported', invoice_id: 'in_unreported' };
  const { text } = await evidenceOf(await report({ psp_dispute_id: 'du_unreported', ...ids }));
  const { timeline } = JSON.parse(text).content;
  expect(timeline).toMatchObject([{ kind: 'checkout' }, { kind: 'dispute' }]);
});

it("what happened stands in the timeline also where the PSP has other names for invoice and subscription than the merchant's report", async () => {
  const ids = { charge_id: 'ch_own_2', invoice_id: 'in_psp', subscription_id: 'sub_psp' };
  const id = await report({ psp_dispute_id: 'du_names', ...ids });
  const own = { method: 'pm_own', subscription: 'sub_own' };
  await reportCharges(world, [
    { charge: 'ch_own_1', invoice: 'in_own_1', daysAgo: 30, ...own },
    { charge: 'ch_own_2', invoice: 'in_own_2', daysAgo: 0, ...own },
  ]);
  await tried('in_own_2', 'pm_own');
  const path = `/v1/disputes/${id}/evidence`;
  expect((await world.call('POST', path, { product_description: 'Acme Pro' })).status).toBe(200);
  const { timeline } = JSON.parse((await evidenceOf(id)).text).content;
  expect(timeline.map(({ kind }: { kind: string }) => kind)).toEqual([
    'checkout',
    'retry',
    'dispute',
    'renewal',
  ]);
});

it('the first charge that is known of an older subscription is called a renewal', async () => {
  const own = { method: 'pm_older', subscription: 'sub_older', begunDaysAgo: 900 };
  await reportCharges(world, [
    { charge: 'ch_older_1', invoice: 'in_older_1', daysAgo: 200, ...own },
    { charge: 'ch_older_2', invoice: 'in_older_2', daysAgo: 0, ...own },
  ]);
  const id = await report({ psp_dispute_id: 'du_older', charge_id: 'ch_older_2' });
  const { content } = JSON.parse((await evidenceOf(id)).text);
  expect(content.timeline.slice(0, 2)).toMatchObject([
    { kind: 'renewal', words: 'Charged', reference: 'ch_older_1' },
    { kind: 'dispute' },
  ]);
});

it.each([
  ['braintree', { category: 'REFUND_ID', content: 're_of_braintree' }],
  ['paypal', { evidence_type: 'PROOF_OF_REFUND', evidence_info: { refund_ids: ['re_of_paypal'] } }],
])('what Recoup gave back of the charge is told to %s', async (psp, piece) => {
  const charge = `ch_given_back_${psp}`;
  await world.rows(
    `insert into incidents (merchant_id, incident_id, kind, subject, psp, charge, theirs, detail,
       state, refund_id, opened_at, resolved_at)
     values ($1, 'inc_' || $2, 'two_successes', $2, $2, $3, $4, 'charged twice', 'refunded',
       're_of_' || $2, $5, $5)`,
    [
      ...[world.first.merchantId, psp, charge],
      {
        state: 'succeeded',
        psp_transaction_id: charge,
        amount_minor: 4_900,
        currency: 'EUR',
      },
      world.clock.now(),
    ],
  );
  const id = await report({ psp, psp_dispute_id: `d_given_back_${psp}`, charge_id: charge });
  const { content, psp_evidence } = JSON.parse((await evidenceOf(id)).text);
  expect(content.timeline).toContainEqual(
    expect.objectContaining({
      kind: 'refund',
      reference: `re_of_${psp}`,
      money: { amountMinor: 4_900, currency: 'EUR' },
    }),
  );
  expect(psp_evidence.body).toContainEqual(piece);
  expect(JSON.stringify(psp_evidence.body)).toContain('Refunded: ');
});

it('a card that is charged every day has its priors among those that are old enough', async () => {
  const daily = { method: 'pm_daily', subscription: 'sub_daily' };
  const start = addMs(world.clock.now(), -140 * dayMs);
  await submitAt(start, { ...checkout, subscription_id: 'sub_daily' });
  await reportCharges(
    world,
    Array.from({ length: 140 }, (_, index) => ({
      ...{ charge: `ch_daily_${index}`, invoice: `in_daily_${index}`, daysAgo: 139 - index },
      ...daily,
    })),
  );
  const id = await report({ psp_dispute_id: 'du_daily', charge_id: 'ch_daily_139' });
  const { verdict } = JSON.parse((await evidenceOf(id)).text);
  expect(verdict.prior_charges).toEqual(['ch_daily_19', 'ch_daily_18']);
  expect(resultsOf(verdict)).toMatchObject({ prior_window: 'pass', two_elements: 'pass' });
});

it.each([
  ['braintree', 'PURCHASER_IP_ADDRESS', '8.8.4.4'],
  ['paypal', 'ORDER_DETAILS', 'charge'],
  ['checkout', 'compelling_evidence', 'Visa Compelling Evidence'],
  ['adyen', 'names the defence reasons', ''],
  ['worldpay', 'give it the PDF', ''],
])('%s gets its own form', async (psp, part, value) => {
  await world.submit({ ...checkout, psp, charge_id: `ch_${psp}` });
  const id = await report({ psp, psp_dispute_id: `d_${psp}`, charge_id: `ch_${psp}` });
  const { text } = await evidenceOf(id);
  const rendered = JSON.stringify(JSON.parse(text).psp_evidence);
  expect(rendered).toContain(part);
  expect(rendered).toContain(value);
});

describe('what cannot be answered', () => {
  it.each([
    ['dis_of_nobody', 404],
    ['%00', 422],
    ['4111 1111 1111 1111', 422],
  ])('%s: %i', async (id, status) => {
    expect((await evidenceOf(id)).status).toBe(status);
    expect((await world.call('POST', `/v1/disputes/${id}/evidence`, {})).status).toBe(status);
  });

  it("another merchant's dispute: 404", async () => {
    const { authorization } = world.second;
    expect((await evidenceOf(renewalId, { authorization })).status).toBe(404);
  });

  it('a form that there is not: 406', async () => {
    const { status, text } = await evidenceOf(renewalId, { accept: 'text/html' });
    expect([status, text]).toEqual([
      406,
      '{"detail":"Evidence comes as application/json or application/pdf."}',
    ]);
  });

  it('a dispute of no known amount: 409', async () => {
    const id = await report({
      psp_dispute_id: 'du_no_amount',
      charge_id: 'ch_gone',
      amount: undefined,
      currency: undefined,
    });
    expect((await evidenceOf(id)).status).toBe(409);
    const { text } = await world.call('GET', `/v1/disputes/${id}`);
    expect(JSON.parse(text)).not.toHaveProperty('verdict');
  });

  it('what is stated in a wrong form: 422', async () => {
    const stated = { merchandise_or_services: 'both', charges: [{ charge_id: 'c', arn: '1' }] };
    const path = `/v1/disputes/${renewalId}/evidence`;
    const { status, text } = await world.call('POST', path, stated);
    expect(status).toBe(422);
    expect(JSON.parse(text).detail.map(({ loc }: { loc: string[] }) => loc.join('.'))).toEqual([
      'body.merchandise_or_services',
      'body.charges.0.arn',
    ]);
  });
});
