import { describe, expect, it } from 'vitest';
import {
  chargesAfterMark,
  markOf,
  readCharges,
  readIntents,
} from '../../../src/psp/stripe/charges/invoice-charges.ts';
import { ownCharge, ownTry } from '../../../src/psp/stripe/charges/own-charge.ts';
import type { Answer } from '../../../src/psp/stripe/client.ts';
import { timeLimits } from '../../../src/psp/stripe/time-limits.ts';
import {
  scriptedStripe,
  stripeList,
  stripeLost,
  stripeRefuses,
  stripeSays,
} from './scripted-stripe.ts';

const limits = timeLimits(10_000);
const created = 1_793_610_000;
const charge = (id: string, more: object = {}) => ({ id, created, status: 'failed', ...more });
const eventOf = (chargeId: string, key?: string) => ({
  data: { object: { id: chargeId } },
  ...(key !== undefined && { request: { idempotency_key: key } }),
});

describe('which charge of an invoice was ours', () => {
  const own = async (charges: readonly object[], events: Answer<unknown>) => {
    const { client, calls } = scriptedStripe({ 'events.list': () => events });
    const found = await ownCharge(
      { client, limits },
      charges as Record<string, unknown>[],
      'key-1',
    );
    return { found, calls };
  };
  const [newer, older] = [charge('ch_2'), charge('ch_1')];

  it('is said by the event of the charge, which names our key', async () => {
    const events = stripeList([eventOf('ch_1', 'key-0'), eventOf('ch_2', 'key-1')]);
    const { found, calls } = await own([newer, older], events);
    expect(found).toEqual({ kind: 'found', charge: newer, isSaid: true });
    const types = ['charge.succeeded', 'charge.failed'];
    const asked = { types, created: { gte: created, lte: created + 60 }, limit: 100 };
    expect(calls).toEqual([
      ['events.list', asked],
      ['events.list', asked],
    ]);
  });

  it('is none where events name other requests, or none at all', async () => {
    const events = stripeList([eventOf('ch_1', 'key-0'), eventOf('ch_2')]);
    expect((await own([newer, older], events)).found).toEqual({ kind: 'none' });
    expect((await own([], events)).found).toEqual({ kind: 'none' });
  });

  it.each([
    ['no event tells of them', stripeList([eventOf('ch_9', 'key-1')])],
    ['the key may not read events', stripeRefuses(403)],
    ['the account has no events', stripeRefuses(404)],
  ])('is the first of those that ended alike where %s', async (_what, events) => {
    expect((await own([newer, older], events)).found).toEqual({
      kind: 'found',
      charge: older,
      isSaid: false,
    });
    const paid = charge('ch_2', { status: 'succeeded' });
    expect((await own([paid, older], events)).found).toEqual({
      kind: 'unknown',
      reason: 'Stripe does not say which charge of the invoice was ours',
    });
  });

  it('of an earlier try than the marked one is told by events alone, whatever its amount', async () => {
    const made = charge('ch_1', { payment_method: 'pm_1', amount: 700, currency: 'usd' });
    const invoice = { metadata: markOf('key-2', []) };
    const tried = { idempotencyKey: 'key-1', paymentMethodId: 'pm_1' };
    const amount = { kind: 'amount', amount: 999, currency: 'usd' } as const;
    const ofOther = charge('ch_3', { payment_method: 'pm_2' });
    const record = { invoice, charges: [ofOther, made], amount };
    const ask = (events: Answer<unknown>) => {
      const { client } = scriptedStripe({ 'events.list': () => events });
      return ownTry({ client, limits }, tried, record);
    };
    const found = { kind: 'found', charge: made, isSaid: true };
    expect(await ask(stripeList([eventOf('ch_1', 'key-1')]))).toEqual(found);
    for (const events of [
      stripeList([]),
      stripeList([eventOf('ch_1', 'key-2')]),
      stripeRefuses(403),
    ]) {
      expect(await ask(events)).toEqual({ kind: 'none' });
    }
    expect(await ask(stripeLost)).toMatchObject({ kind: 'unknown' });
  });

  it('is not said while Stripe does not answer', async () => {
    for (const events of [stripeLost, stripeRefuses(500)]) {
      expect((await own([newer], events)).found).toMatchObject({ kind: 'unknown' });
    }
  });
});

describe('the charges of an invoice', () => {
  const deps = (answers: Parameters<typeof scriptedStripe>[0]) => {
    const { client, calls } = scriptedStripe(answers);
    return { deps: { client, limits }, calls };
  };

  it('are those of all its intents, newest first, as Stripe lists those of one second', async () => {
    const [a, b, c] = [charge('ch_a'), charge('ch_b', { created: created + 5 }), charge('ch_c')];
    const byIntent: Record<string, readonly object[]> = { pi_1: [a, c], pi_2: [b] };
    const { deps: stripe, calls } = deps({
      'charges.list': (asked) =>
        stripeList(byIntent[(asked as { payment_intent: string }).payment_intent] ?? []),
    });
    const page = await readCharges(stripe, [{ id: 'pi_1' }, { id: 7 }, { id: 'pi_2' }]);
    expect(page).toEqual({ kind: 'page', items: [b, a, c], hasMore: false });
    expect(calls).toHaveLength(2);
  });

  it('are unknown where one of the lists cannot be read', async () => {
    const { deps: stripe } = deps({ 'charges.list': () => stripeLost });
    expect(await readCharges(stripe, [{ id: 'pi_1' }])).toEqual({
      kind: 'unknown',
      reason: stripeLost.reason,
    });
    expect(await readCharges(stripe, [])).toMatchObject({ items: [] });
  });

  it('have the intents of its payments, unless there are more than a page', async () => {
    const payments = [{ payment: { payment_intent: { id: 'pi_1' } } }, { payment: {} }, {}];
    const intents = async (sent: Answer<unknown>) =>
      readIntents(deps({ 'invoicePayments.list': () => sent }).deps, 'in_1');
    expect(await intents(stripeList(payments))).toEqual({
      kind: 'page',
      items: [{ id: 'pi_1' }],
      hasMore: false,
    });
    expect(await intents(stripeList(payments, true))).toEqual({
      kind: 'unknown',
      reason: 'the invoice has too many payments to look through',
    });
    expect(await intents(stripeSays({}))).toMatchObject({ kind: 'unknown' });
  });

  it('after our mark are those of our method and amount, by Stripe’s order', async () => {
    const ours = { amount: 500, currency: 'eur', payment_method: 'pm_1' };
    const charges = [
      charge('ch_5', ours),
      charge('ch_4', { ...ours, payment_method: 'pm_2' }),
      charge('ch_3', { ...ours, amount: 501 }),
      charge('ch_2', { ...ours, currency: 'usd' }),
      charge('ch_1', ours),
      charge('ch_0', ours),
    ];
    const amount = { kind: 'amount', amount: 500, currency: 'eur' } as const;
    const since = (recoup_after_charges?: string) =>
      chargesAfterMark({ metadata: { recoup_after_charges } }, charges, {
        paymentMethodId: 'pm_1',
        amount,
      }).map(({ id }) => id);
    expect(since('ch_9 ch_1')).toEqual(['ch_5']);
    expect(since('none')).toEqual(['ch_5', 'ch_1', 'ch_0']);
    expect(since()).toEqual(['ch_5', 'ch_1', 'ch_0']);
  });

  it('are marked by the newest of each intent, fifteen at most', () => {
    const intents = Array.from({ length: 20 }, (_, index) => ({ latest_charge: `ch_${index}` }));
    const mark = markOf('key-1', [{}, ...intents]).recoup_after_charges ?? '';
    expect(mark.split(' ')).toHaveLength(15);
    expect(mark.startsWith('ch_0 ch_1 ')).toBe(true);
    expect(markOf('key-1', [{}])).toEqual({
      recoup_idempotency_key: 'key-1',
      recoup_after_charges: 'none',
    });
  });
});
