import { describe, expect, it } from 'vitest';
import { addMs, minuteMs } from '../../../src/domain/clock.ts';
import type { Exchange } from '../../../src/psp/exchange.ts';
import { listWorldpayCharges } from '../../../src/psp/worldpay/list-charges.ts';
import { refundWorldpay } from '../../../src/psp/worldpay/refund.ts';
import type { RefundRequest } from '../../../src/recovery/psp-ports.ts';
import { now } from './worldpay-kit.ts';

const account = {
  username: 'u',
  password: 'p',
  entity: 'shop',
  environment: 'test',
  narrative: 'shop',
  webhookSecrets: [],
} as const;
const whole: RefundRequest = {
  merchantId: 'mer_1',
  invoiceId: 'in_1',
  pspTransactionId: 'key-1',
  amountMinor: 500,
  currency: 'EUR',
  idempotencyKey: 'refund-1',
};
const part = { ...whole, amountMinor: 120 };
const lost: Exchange = { kind: 'lost', reason: 'the connection broke' };

function said(body: unknown, status = 200, headers: Record<string, string> = {}): Exchange {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'answered', status, headers: { date: now.toUTCString(), ...headers }, text };
}

const found = said({ _embedded: { payments: [{ paymentId: 'pay1' }] } });
const href = 'https://try.access.worldpay.com/payments/settlements/refunds/full/x?a=1';
const record = (change: object = {}) =>
  said({
    transactionReference: 'key-1',
    value: { amount: 500, currency: 'EUR' },
    events: [],
    _links: { 'cardPayments:refund': { href }, 'cardPayments:partialRefund': { href } },
    ...change,
  });

interface Answers {
  readonly found?: Exchange;
  readonly read?: Exchange;
  readonly sent?: Exchange;
}

async function refund(answers: Answers = {}, request: RefundRequest = whole) {
  const acted: unknown[] = [];
  const client = {
    findPayments: async () => answers.found ?? found,
    readPayment: async () => answers.read ?? record(),
    act: async (_account: unknown, ...what: unknown[]) => {
      acted.push(what.filter((one) => one !== undefined));
      return answers.sent ?? said({}, 202);
    },
  };
  const result = await refundWorldpay({ clock: { now: () => now }, client, account }, request);
  return { result, acted };
}

const events = (...names: readonly string[]) =>
  names.map((eventName) => ({ eventName, commandId: 'c1', type: 'fullRefund' }));

describe('a refund at Worldpay', () => {
  it('follows the path of the record’s link; a part says of what, under our key', async () => {
    const path = '/payments/settlements/refunds/full/x?a=1';
    expect(await refund()).toEqual({
      result: { kind: 'pending', refundId: 'pay1' },
      acted: [[path]],
    });
    const value = { amount: 120, currency: 'EUR' };
    expect(await refund({}, part)).toEqual({
      result: { kind: 'pending', refundId: 'refund-1' },
      acted: [[path, { reference: 'refund-1', value }]],
    });
  });

  it.each([
    'refundPayment',
    'cardPayments:refund',
    'payments:refund',
    'cancelPayment',
    'cardPayments:cancel',
    'payments:cancel',
  ])('of the whole goes by the link %s', async (name) => {
    expect((await refund({ read: record({ _links: { [name]: { href } } }) })).acted).toHaveLength(
      1,
    );
    const actions = record({ _links: {}, _actions: { [name]: { href } } });
    expect((await refund({ read: actions })).acted).toHaveLength(1);
    expect(
      (await refund({ read: record({ _links: { [name]: { href } } }) }, part)).result.kind,
    ).toBe('refused');
  });

  it.each([
    'https://try.access.worldpay.com/tokens/1',
    'https://try.access.worldpay.com/x/payments/1',
    'https://try.access.worldpay.com/api/other/1',
    ' ',
    7,
  ])('follows no other link: %j', async (other) => {
    const { result, acted } = await refund({
      read: record({ _links: { refundPayment: { href: other } } }),
    });
    expect(result).toEqual({ kind: 'refused', reason: expect.stringContaining('no link') });
    expect(acted).toEqual([]);
  });

  it.each([
    [['refundRequested', 'refundRequestSubmitted'], { kind: 'refunded', refundId: 'pay1' }],
    [['refundRequested'], { kind: 'pending', refundId: 'pay1' }],
    [
      ['refundRequested', 'refundRequestSubmissionTimedOut'],
      { kind: 'unknown', reason: expect.stringContaining('timed out') },
    ],
    // By the names of Worldpay's OpenAPI document, which differ from those of its guides.
    [
      ['refundRequested', 'refundTimedOut'],
      { kind: 'unknown', reason: expect.stringContaining('timed out') },
    ],
    [
      ['cancellationRequested', 'cancellationRequestSubmitted'],
      { kind: 'refunded', refundId: 'pay1' },
    ],
    [['reversalRequested', 'reversalRequestSubmitted'], { kind: 'refunded', refundId: 'pay1' }],
    [
      ['cancellationRequested', 'cancellationRequestSubmissionTimedOut'],
      { kind: 'unknown', reason: expect.any(String) },
    ],
  ])('that the record has as %j is not asked for again', async (names, expected) => {
    const { result, acted } = await refund({ read: record({ events: events(...names) }) });
    expect(result).toEqual(expected);
    expect(acted).toEqual([]);
  });

  it.each([
    ['that failed', events('refundRequested', 'refundRequestSubmissionFailed')],
    ['that failed, by its other name', events('refundRequested', 'refundFailed')],
    ['whose cancellation failed', events('cancellationRequested', 'cancellationFailed')],
    [
      'of another command',
      [
        ...events('refundRequested', 'refundRequestSubmissionFailed'),
        { eventName: 'refundRequestSubmitted', commandId: 'c2' },
      ],
    ],
    [
      'of a part',
      [
        {
          eventName: 'refundRequested',
          commandId: 'c1',
          type: 'partialRefund',
          refundReference: 'refund-1',
        },
      ],
    ],
    ['of another kind', events('settlementRequested', 'xrefundRequestSubmitted')],
  ])('is asked for beside one %s', async (_what, given) => {
    expect((await refund({ read: record({ events: given }) })).acted).toHaveLength(1);
  });

  it('of a payment that is named by its link alone is made by that name', async () => {
    const self = { href: '/paymentQueries/payments/pay1' };
    const named = said({ _embedded: { payments: [{ _links: { self } }] } });
    const { result } = await refund({ found: named });
    expect(result).toEqual({ kind: 'pending', refundId: 'pay1' });
  });

  it('of a part is known by its key alone', async () => {
    const own = { eventName: 'refundRequested', commandId: 'c1', refundReference: 'refund-1' };
    const cancelled = events('cancellationRequested');
    expect((await refund({ read: record({ events: [own] }) }, part)).result.kind).toBe('pending');
    expect((await refund({ read: record({ events: cancelled }) }, part)).acted).toHaveLength(1);
    const other = { ...own, refundReference: 'refund-2' };
    expect((await refund({ read: record({ events: [other] }) }, part)).acted).toHaveLength(1);
  });

  it('that was asked for is asked for again only once both clocks say that the record is complete', async () => {
    const asked = (minutes: number) => ({ ...whole, askedAt: addMs(now, -minutes * minuteMs) });
    expect((await refund({}, asked(15))).acted).toHaveLength(1);
    expect((await refund({}, asked(14.9))).result).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('ask again later'),
    });
    const slow = addMs(now, -minuteMs).toUTCString();
    const record14 = { ...record(), headers: { date: slow } } as Exchange;
    expect((await refund({ read: record14 }, asked(15))).result.kind).toBe('unknown');
    const undated = { ...record(), headers: {} } as Exchange;
    expect((await refund({ read: undated }, asked(60))).result.kind).toBe('unknown');
    expect((await refund({ read: undated })).acted).toHaveLength(1);
  });

  it.each([
    ['no such payment', { found: said({ _embedded: { payments: [] } }) }, 'refused'],
    [
      'several of them',
      { found: said({ _embedded: { payments: [{ paymentId: 'a' }, { paymentId: 'b' }] } }) },
      'refused',
    ],
    ['one without an id', { found: said({ _embedded: { payments: [{}] } }) }, 'refused'],
    ['no list', { found: said({}) }, 'unknown'],
    ['no list, refused', { found: said({}, 500) }, 'unknown'],
    ['no answer', { found: lost }, 'unknown'],
    ['a record of another payment', { read: record({ transactionReference: 'key-2' }) }, 'unknown'],
    ['a record that is refused', { read: said({}, 404) }, 'unknown'],
    ['a record without an amount', { read: record({ value: { currency: 'EUR' } }) }, 'unknown'],
    ['a record without a currency', { read: record({ value: { amount: 500 } }) }, 'unknown'],
    [
      'a record in another currency',
      { read: record({ value: { amount: 500, currency: 'USD' } }) },
      'refused',
    ],
    [
      'a record over less',
      { read: record({ value: { amount: 499, currency: 'EUR' } }) },
      'refused',
    ],
  ])('is, after %s, not sent, but %s', async (_what, answers, kind) => {
    const { result, acted } = await refund(answers);
    expect(result).toEqual({ kind, reason: expect.stringMatching(/.{10}/) });
    expect(acted).toEqual([]);
  });

  it.each([
    [400, 'refused'],
    [401, 'refused'],
    [403, 'refused'],
    [404, 'refused'],
    [406, 'refused'],
    [415, 'refused'],
    [200, 'unknown'],
    [409, 'unknown'],
    [429, 'unknown'],
    [500, 'unknown'],
  ])('answered with %i is %s', async (status, kind) => {
    const sent = said({ errorName: 'someError' }, status);
    expect((await refund({ sent })).result).toEqual({
      kind,
      reason: `HTTP ${status}, error someError`,
    });
    expect((await refund({ sent: said('x', status) })).result).toEqual({
      kind,
      reason: `HTTP ${status}`,
    });
    expect((await refund({ sent: lost })).result).toEqual({
      kind: 'unknown',
      reason: 'the connection broke',
    });
  });
});

describe('a page of payments at Worldpay', () => {
  const payment = {
    transactionReference: 'key-1',
    timestamp: '2026-11-02T09:30:00Z',
    value: { amount: 500, currency: 'EUR' },
    lastEvent: 'saleSucceeded',
  };
  const charge = {
    pspTransactionId: 'key-1',
    idempotencyKey: 'key-1',
    state: 'succeeded',
    amountMinor: 500,
    currency: 'EUR',
    createdAt: new Date(payment.timestamp),
    isLive: false,
  };
  const page = async (sent: Exchange, cursor?: string) => {
    const paths: string[] = [];
    const readQuery = async (_account: unknown, path: string) => {
      paths.push(path);
      return sent;
    };
    const asked = {
      merchantId: 'mer_1',
      from: now,
      to: addMs(now, minuteMs),
      ...(cursor && { cursor }),
    };
    return { listed: await listWorldpayCharges({ readQuery }, account, asked), paths };
  };

  it('is asked for from a second before to a second after, then by its links', async () => {
    const next = { href: 'https://access.worldpay.com/paymentQueries/payments?cursor=2' };
    const { listed, paths } = await page(
      said({ _embedded: { payments: [payment] }, _links: { next } }),
    );
    expect(listed).toEqual({
      kind: 'page',
      charges: [charge],
      nextCursor: '/paymentQueries/payments?cursor=2',
    });
    expect(paths).toEqual([
      '/paymentQueries/payments?startDate=2026-11-02T09%3A59%3A59Z&endDate=2026-11-02T10%3A01%3A01Z&pageSize=300&entityReferences=shop',
    ]);
    expect(await page(said({}), '/x')).toEqual({
      listed: { kind: 'page', charges: [] },
      paths: ['/x'],
    });
  });

  it.each([
    ['saleSucceeded', 'succeeded'],
    ['refundRequestSubmissionFailed', 'succeeded'],
    ['authorizationRefused', 'declined'],
    ['saleFailed', 'declined'],
    ['cancellationRequestSubmitted', 'pending'],
    [undefined, 'pending'],
  ])('has a payment whose last event is %s as %s', async (lastEvent, state) => {
    const { listed } = await page(said({ _embedded: { payments: [{ ...payment, lastEvent }] } }));
    expect(listed).toMatchObject({ charges: [{ state }] });
  });

  it.each([
    ['transactionReference', ''],
    ['timestamp', 'soon'],
    ['value', { amount: '500', currency: 'EUR' }],
    ['value', { amount: 500 }],
    ['value', undefined],
  ])('is not read where a payment has the %s %j', async (field, value) => {
    const payments = [payment, { ...payment, [field]: value }];
    expect((await page(said({ _embedded: { payments } }))).listed).toMatchObject({
      kind: 'unavailable',
    });
  });

  it.each([
    ['another status', said({}, 500), 'HTTP 500'],
    ['no object', said('[]'), 'HTTP 200'],
    ['no list', said({ _embedded: { payments: {} } }), 'no list of payments'],
    ['no answer', lost, 'the connection broke'],
  ])('is unavailable after %s', async (_what, sent, reason) => {
    expect((await page(sent)).listed).toEqual({ kind: 'unavailable', reason });
  });
});
