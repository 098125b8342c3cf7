import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/psp/stripe/client.ts';
import { findStripeInvoice } from '../../../src/psp/stripe/operations/find-invoice.ts';
import { listStripeCharges } from '../../../src/psp/stripe/operations/list-charges.ts';
import { refundStripe } from '../../../src/psp/stripe/operations/refund.ts';
import {
  scriptedStripe,
  stripeList,
  stripeLost,
  stripeRefuses,
  stripeSays,
} from './scripted-stripe.ts';

const timeoutMs = 1_000;
const notUnderstood = 'Stripe gave an answer that cannot be understood';

describe('a refund at Stripe', () => {
  const request = {
    merchantId: 'mer_1',
    invoiceId: 'in_1',
    pspTransactionId: 'ch_1',
    amountMinor: 500,
    currency: 'EUR',
    idempotencyKey: 'refund-1',
  };
  const refund = async (sent: Answer<unknown>, change: Partial<typeof request> = {}) => {
    const { client, calls } = scriptedStripe({ 'refunds.create': () => sent });
    const result = await refundStripe({ client, timeoutMs }, { ...request, ...change });
    return { result, calls };
  };

  it.each([
    ['succeeded', { kind: 'refunded', refundId: 're_1' }],
    ['pending', { kind: 'pending', refundId: 're_1' }],
    ['requires_action', { kind: 'pending', refundId: 're_1' }],
    ['failed', { kind: 'refused', reason: 'the refund failed at Stripe' }],
    ['canceled', { kind: 'refused', reason: 'the refund failed at Stripe' }],
    ['brand_new', { kind: 'unknown', reason: 'the refund has a status that nobody knows' }],
    [undefined, { kind: 'unknown', reason: 'the refund has a status that nobody knows' }],
  ])('that is %s is %j', async (status, result) => {
    expect((await refund(stripeSays({ id: 're_1', status }))).result).toEqual(result);
  });

  it('is of a charge, or of a payment intent', async () => {
    const sent = stripeSays({ id: 're_1', status: 'succeeded' });
    const metadata = { recoup_idempotency_key: 'refund-1' };
    expect((await refund(sent)).calls).toEqual([
      ['refunds.create', { charge: 'ch_1', amount: 500, metadata }],
    ]);
    expect((await refund(sent, { pspTransactionId: 'pi_1' })).calls).toEqual([
      ['refunds.create', { payment_intent: 'pi_1', amount: 500, metadata }],
    ]);
  });

  it('of what was given back already is the one with our key, and else refused', async () => {
    const error = { type: 'invalid_request_error', code: 'charge_already_refunded', fields: {} };
    const again = async (listed: Answer<unknown>) => {
      const { client, calls } = scriptedStripe({
        'refunds.create': () => ({ kind: 'refused', status: 400, error }),
        'refunds.list': () => listed,
      });
      const result = await refundStripe({ client, timeoutMs }, request);
      expect(calls.at(-1)).toEqual(['refunds.list', { charge: 'ch_1', limit: 100 }]);
      return result;
    };
    const own = {
      id: 're_1',
      status: 'succeeded',
      metadata: { recoup_idempotency_key: 'refund-1' },
    };
    const others = { ...own, id: 're_0', metadata: {} };
    expect(await again(stripeList([others, own]))).toEqual({ kind: 'refunded', refundId: 're_1' });
    expect(await again(stripeList([others]))).toMatchObject({ kind: 'refused' });
    expect(await again(stripeList([{ ...own, status: 'failed' }]))).toMatchObject({
      kind: 'refused',
    });
    expect(await again(stripeLost)).toEqual({ kind: 'unknown', reason: stripeLost.reason });
  });

  it('of no amount is refused before anything is sent', async () => {
    expect(await refund(stripeLost, { amountMinor: 0 })).toEqual({
      result: { kind: 'refused', reason: 'Stripe takes no such amount in EUR' },
      calls: [],
    });
  });

  it('is not known without an id, or where the answer was lost', async () => {
    for (const value of [{ status: 'succeeded' }, 'x']) {
      expect((await refund(stripeSays(value))).result).toEqual({
        kind: 'unknown',
        reason: notUnderstood,
      });
    }
    expect((await refund(stripeLost)).result).toEqual({
      kind: 'unknown',
      reason: stripeLost.reason,
    });
    expect((await refund(stripeRefuses(400))).result.kind).toBe('refused');
    expect((await refund(stripeRefuses(409))).result.kind).toBe('unknown');
  });
});

describe('the list of charges at Stripe', () => {
  const from = new Date('2026-11-02T09:00:00.001Z');
  const to = new Date('2026-11-02T10:00:00Z');
  const charge = {
    id: 'ch_1',
    created: 1_793_610_000,
    currency: 'eur',
    amount: 1_999,
    status: 'succeeded',
    paid: true,
  };
  const listed = {
    pspTransactionId: 'ch_1',
    state: 'succeeded',
    amountMinor: 1_999,
    currency: 'EUR',
    createdAt: new Date(1_793_610_000_000),
  };
  const list = async (sent: Answer<unknown>, cursor?: string) => {
    const { client, calls } = scriptedStripe({ 'charges.list': () => sent });
    const asked = { merchantId: 'mer_1', from, to, ...(cursor !== undefined && { cursor }) };
    return { page: await listStripeCharges({ client, timeoutMs }, asked), calls };
  };
  const only = async (change: object) => {
    const { page } = await list(stripeList([{ ...charge, ...change }]));
    return page.kind === 'page' ? page.charges[0] : page;
  };

  it('is asked for by whole seconds, and goes on after the last charge of a page', async () => {
    const created = { gte: 1_793_610_001, lt: 1_793_613_600 };
    expect(await list(stripeList([charge], true))).toEqual({
      page: { kind: 'page', charges: [listed], nextCursor: 'ch_1' },
      calls: [['charges.list', { created, limit: 100 }]],
    });
    expect(await list(stripeList([charge]), 'ch_0')).toEqual({
      page: { kind: 'page', charges: [listed] },
      calls: [['charges.list', { created, limit: 100, starting_after: 'ch_0' }]],
    });
    expect((await list(stripeList([], true))).page).toEqual({ kind: 'page', charges: [] });
  });

  it.each([
    ['succeeded', true, 'succeeded'],
    ['succeeded', false, 'pending'],
    ['pending', true, 'pending'],
    ['failed', false, 'declined'],
  ])('has a charge that is %s, paid: %j, as %s', async (status, paid, state) => {
    expect(await only({ status, paid })).toMatchObject({ state });
  });

  it('has whatever else Stripe says of a charge', async () => {
    const more = {
      metadata: { recoup_idempotency_key: 'key-1' },
      invoice: { id: 'in_1' },
      customer: 'cus_1',
      livemode: false,
      amount_refunded: 500,
    };
    expect(await only(more)).toEqual({
      ...listed,
      idempotencyKey: 'key-1',
      pspInvoiceId: 'in_1',
      pspCustomerId: 'cus_1',
      isLive: false,
      refundedMinor: 500,
    });
    expect(await only({ amount_refunded: 0, livemode: 'no' })).toEqual(listed);
  });

  it.each([
    ['id', 7],
    ['created', 'soon'],
    ['currency', ''],
    ['amount', 19.5],
    ['amount', undefined],
  ])('is not read where a charge has the %s %j', async (field, value) => {
    const sent = stripeList([charge, { ...charge, [field]: value }]);
    expect((await list(sent)).page).toEqual({
      kind: 'unavailable',
      reason: 'Stripe lists a charge that cannot be understood',
    });
  });

  it('is not read where the currency has no such part', async () => {
    expect(await only({ currency: 'isk', amount: 150 })).toMatchObject({ kind: 'unavailable' });
    expect(await only({ currency: 'isk', amount: 100 })).toMatchObject({ amountMinor: 1 });
  });

  it.each([
    ['no list', stripeSays({ data: {}, has_more: false }), notUnderstood],
    ['a list that does not say whether it goes on', stripeSays({ data: [] }), notUnderstood],
    ['a refusal', stripeRefuses(403), 'Stripe answered HTTP 403 invalid_request_error'],
    ['nothing', stripeLost, stripeLost.reason],
  ])('is unavailable after %s', async (_what, sent, reason) => {
    expect((await list(sent)).page).toEqual({ kind: 'unavailable', reason });
  });
});

describe('the invoice of a charge at Stripe', () => {
  const find = async (
    pspTransactionId: string,
    answers: {
      readonly charge?: Answer<unknown>;
      readonly payments?: Answer<unknown>;
      readonly intent?: Answer<unknown>;
    } = {},
  ) => {
    const { charge = stripeLost, payments = stripeLost, intent = stripeLost } = answers;
    const { client, calls } = scriptedStripe({
      'charges.retrieve': () => charge,
      'invoicePayments.list': () => payments,
      'paymentIntents.retrieve': () => intent,
    });
    return { found: await findStripeInvoice({ client, timeoutMs }, pspTransactionId), calls };
  };
  const charge = (more: object = {}) => stripeSays({ id: 'ch_1', ...more });
  const found = { kind: 'found', pspInvoiceId: 'in_1' };
  const byIntent = { payment: { type: 'payment_intent', payment_intent: 'pi_1' }, limit: 1 };

  it('is named by the charge itself, or by the payment of its intent', async () => {
    expect((await find('ch_1', { charge: charge({ invoice: 'in_1' }) })).found).toEqual(found);
    const payments = stripeList([{ invoice: 'in_1' }]);
    const answers = { charge: charge({ payment_intent: 'pi_1' }), payments };
    expect((await find('ch_1', answers)).found).toEqual(found);
    const { charge: _, ...ofIntent } = answers;
    expect(await find('pi_1', ofIntent)).toEqual({
      found,
      calls: [['invoicePayments.list', byIntent]],
    });
  });

  it.each(['src_1', 'xch_1', 'xpy_1'])('is none of what is no charge, such as %s', async (id) => {
    expect(await find(id)).toEqual({ found: { kind: 'none' }, calls: [] });
  });

  it('is none of a charge without an intent, or whose intent pays no invoice', async () => {
    expect((await find('ch_1', { charge: charge() })).found).toEqual({ kind: 'none' });
    const empty = { payments: stripeList([]), intent: stripeSays({ id: 'pi_1' }) };
    expect((await find('pi_1', empty)).found).toEqual({ kind: 'none' });
    expect((await find('py_1', { charge: stripeSays({ id: 'py_1' }) })).found).toEqual({
      kind: 'none',
    });
  });

  it('is not known where the account has no such charge or intent', async () => {
    const gone = stripeRefuses(404);
    expect((await find('ch_1', { charge: gone })).found).toEqual({ kind: 'not_known' });
    const answers = { payments: stripeList([]), intent: gone };
    expect((await find('pi_1', answers)).found).toEqual({ kind: 'not_known' });
  });

  it.each([
    ['about another charge', { charge: stripeSays({ id: 'ch_2', invoice: 'in_1' }) }],
    ['of no charge', { charge: stripeSays('x') }],
    ['of no right to charges', { charge: stripeRefuses(403) }],
    ['that was lost', { charge: stripeLost }],
    ['of no list', { charge: charge({ payment_intent: 'pi_1' }), payments: stripeSays({}) }],
    ['of no list, lost', { charge: charge({ payment_intent: 'pi_1' }), payments: stripeLost }],
    [
      'of no intent',
      {
        charge: charge({ payment_intent: 'pi_1' }),
        payments: stripeList([]),
        intent: stripeRefuses(500),
      },
    ],
  ])('is unknown after an answer %s', async (_what, answers) => {
    expect((await find('ch_1', answers)).found).toEqual({
      kind: 'unknown',
      reason: expect.stringMatching(/.{10}/),
    });
  });
});
