import { describe, expect, it } from 'vitest';
import { addMs, minuteMs } from '../../../src/domain/clock.ts';
import type { RefundRequest } from '../../../src/recovery/psp-ports.ts';
import { refundedOf } from '../../kits/psps/worldpay-actions.ts';
import { brokenPsp } from '../broken-psp.ts';
import { gatewayTo, now, request, worldpay } from './worldpay-kit.ts';

/** A payment that was made, and what gives the whole of it back. */
async function paid(paymentMethodId = 'tok_success') {
  const psp = await worldpay();
  const gateway = gatewayTo(psp.url, psp.credentials);
  await gateway.charge({ ...request, paymentMethodId });
  const refund: RefundRequest = {
    merchantId: 'mer_1',
    invoiceId: 'in_1',
    pspTransactionId: 'key-1',
    amountMinor: 500,
    currency: 'EUR',
    idempotencyKey: 'refund-1',
  };
  const [payment] = psp.payments;
  if (payment === undefined) throw new Error('nothing was paid');
  return { psp, gateway, refund, payment };
}

/** A server that answers each path as told. */
function told(answer: (path: string) => { readonly status: number; readonly text: string }) {
  return brokenPsp((asked, response) => {
    const { status, text } = answer(asked.url ?? '');
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
}

describe('a refund at Worldpay', () => {
  it('of the whole is made once, by the link of the record', async () => {
    const { gateway, refund, payment } = await paid();
    const refundId = payment.paymentId;
    expect(await gateway.refund(refund)).toEqual({ kind: 'pending', refundId });
    expect(await gateway.refund(refund)).toEqual({ kind: 'refunded', refundId });
    expect(payment.actions.filter(({ eventName }) => eventName === 'refundRequested')).toEqual([
      expect.objectContaining({ type: 'fullRefund' }),
    ]);
    expect(refundedOf(payment)).toBe(500);
  });

  it('of a part carries our key, and is known again by it', async () => {
    const { gateway, refund, payment } = await paid();
    const part = { ...refund, amountMinor: 120 };
    expect(await gateway.refund(part)).toEqual({ kind: 'pending', refundId: 'refund-1' });
    expect(await gateway.refund(part)).toEqual({ kind: 'refunded', refundId: 'refund-1' });
    expect(await gateway.refund({ ...part, idempotencyKey: 'refund-2' })).toMatchObject({
      kind: 'pending',
    });
    expect(refundedOf(payment)).toBe(240);
  });

  it('whose answer was lost is not asked for again before the record must show it', async () => {
    const { gateway, refund, payment } = await paid();
    await gateway.refund(refund);
    // The record does not hold what came last.
    const [asked, ended] = payment.actions.splice(0);
    const again = { ...refund, askedAt: addMs(now, -14 * minuteMs) };
    expect(await gateway.refund(again)).toMatchObject({ kind: 'unknown' });
    expect(payment.actions).toEqual([]);
    if (asked !== undefined && ended !== undefined) payment.actions.push(asked, ended);
    expect(await gateway.refund(again)).toMatchObject({ kind: 'refunded' });
  });

  it('that never arrived is asked for again once the record is complete', async () => {
    const { gateway, refund, payment } = await paid();
    const again = { ...refund, askedAt: addMs(now, -15 * minuteMs) };
    expect(await gateway.refund(again)).toMatchObject({ kind: 'pending' });
    expect(refundedOf(payment)).toBe(500);
  });

  it('that failed is not taken for one that was made', async () => {
    const { gateway, refund, payment } = await paid();
    await gateway.refund({ ...refund, amountMinor: 120 });
    expect(await gateway.refund({ ...refund, idempotencyKey: 'refund-2' })).toMatchObject({
      kind: 'pending',
    });
    expect(payment.actions.at(-1)).toMatchObject({ eventName: 'refundRequestSubmissionFailed' });
    expect(await gateway.refund({ ...refund, idempotencyKey: 'refund-2' })).toMatchObject({
      kind: 'pending',
    });
    const asked = payment.actions.filter(({ eventName }) => eventName === 'refundRequested');
    expect(asked).toHaveLength(3);
    expect(refundedOf(payment)).toBe(120);
  });

  it('of what is not settled yet is a cancellation', async () => {
    const { gateway, refund, payment } = await paid('tok_authorized');
    expect(await gateway.refund({ ...refund, amountMinor: 120 })).toMatchObject({
      kind: 'refused',
    });
    expect(await gateway.refund(refund)).toMatchObject({ kind: 'pending' });
    expect(await gateway.refund(refund)).toMatchObject({ kind: 'refunded' });
    expect(payment.actions.map(({ eventName }) => eventName)).toEqual([
      'cancellationRequested',
      'cancellationRequestSubmitted',
    ]);
  });

  it.each([
    ['more than was paid', { amountMinor: 501 }],
    ['another currency', { currency: 'USD' }],
    ['a payment that was refused', { pspTransactionId: 'key-2' }],
  ])('of %s is not made', async (_what, change) => {
    const { gateway, refund, payment } = await paid();
    await gateway.charge({ ...request, idempotencyKey: 'key-2', paymentMethodId: 'tok_expired' });
    expect(await gateway.refund({ ...refund, ...change })).toMatchObject({ kind: 'refused' });
    expect(payment.actions).toEqual([]);
  });

  it('follows the links of the Payments API too, and no link elsewhere', async () => {
    const { refund, psp } = await paid();
    const summary = { paymentId: 'pay1', transactionReference: 'key-1', entity: 'RecoupShop' };
    const answers = (href: string) => (path: string) => {
      if (path.includes('transactionReference=')) {
        return { status: 200, text: JSON.stringify({ _embedded: { payments: [summary] } }) };
      }
      if (path.startsWith('/api/payments/')) {
        return { status: 202, text: JSON.stringify({ outcome: 'sentForRefund' }) };
      }
      const value = { amount: 500, currency: 'EUR' };
      const _actions = { refundPayment: { href, method: 'POST' } };
      return { status: 200, text: JSON.stringify({ ...summary, value, events: [], _actions }) };
    };
    const at = async (href: string) => {
      const { url } = await told(answers(href));
      return gatewayTo(url, psp.credentials).refund(refund);
    };
    expect(await at('https://try.access.worldpay.com/api/payments/eyJrIjoi/refunds')).toEqual({
      kind: 'pending',
      refundId: 'pay1',
    });
    expect(await at('https://evil.test/elsewhere')).toMatchObject({ kind: 'refused' });
  });
});

describe('the list of charges at Worldpay', () => {
  it('has every payment of the time once, page by page, by its reference', async () => {
    let at = now;
    const psp = await worldpay(() => at, 2);
    const gateway = gatewayTo(psp.url, psp.credentials);
    for (let number = 1; number <= 5; number += 1) {
      const paymentMethodId = number === 3 ? 'tok_expired' : 'tok_success';
      await gateway.charge({ ...request, paymentMethodId, idempotencyKey: `key-${number}` });
    }
    at = addMs(now, 10 * minuteMs);
    await gateway.charge({ ...request, idempotencyKey: 'key-later' });
    const asked = { merchantId: 'mer_1', from: now, to: addMs(now, minuteMs) };
    const keys: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await gateway.listCharges({ ...asked, ...(cursor && { cursor }) });
      if (page.kind !== 'page') throw new Error(JSON.stringify(page));
      keys.push(...page.charges.map(({ idempotencyKey, state }) => [idempotencyKey, state]));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(keys).toEqual([
      ['key-5', 'succeeded'],
      ['key-4', 'succeeded'],
      ['key-3', 'declined'],
      ['key-2', 'succeeded'],
      ['key-1', 'succeeded'],
    ]);
  });

  it('says nothing of a payment that was cancelled, which was declined or given back', async () => {
    const { gateway, refund } = await paid('tok_authorized');
    const asked = { merchantId: 'mer_1', from: addMs(now, -minuteMs), to: addMs(now, minuteMs) };
    expect(await gateway.listCharges(asked)).toMatchObject({ charges: [{ state: 'succeeded' }] });
    await gateway.refund(refund);
    expect(await gateway.listCharges(asked)).toMatchObject({ charges: [{ state: 'pending' }] });
  });

  it('does not follow a link to anything else', async () => {
    const { psp } = await paid();
    const next = { href: 'https://access.worldpay.com/tokens/tok_1' };
    const text = JSON.stringify({ _links: { next }, _embedded: { payments: [] } });
    const { url } = await told(() => ({ status: 200, text }));
    const gateway = gatewayTo(url, psp.credentials);
    const asked = { merchantId: 'mer_1', from: now, to: addMs(now, minuteMs) };
    expect(await gateway.listCharges(asked)).toMatchObject({ kind: 'unavailable' });
  });
});
