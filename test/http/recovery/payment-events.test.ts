import type { Static } from 'typebox';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { PaymentEventBody } from '../../../src/domain/payment-event.ts';
import { paymentExample } from '../../../src/http/recovery/intake/payment-example.ts';
import type { paymentSchema } from '../../../src/http/recovery/intake/payment-schema.ts';
import { otherApiKey, testServer } from '../../kits/recovery-server.ts';

const url = '/recover/payments';
const [first] = paymentExample.transactions;

type Fields = Record<string, unknown>;

/** The example with other fields in its first transaction; undefined takes one away. */
function withTransaction(...changes: Fields[]): Fields {
  return { ...paymentExample, transactions: changes.map((change) => ({ ...first, ...change })) };
}

async function faultsOf(body: unknown, headers = {}): Promise<unknown> {
  const { post, api } = testServer();
  const answer = await post(url, body, headers);
  if (answer.statusCode === 200) return [];
  expect(answer.statusCode).toBe(400);
  expect(api.acceptedPayments).toEqual([]);
  return answer.json<{ errors: unknown }>().errors;
}

test('the schema’s type is the one that the engine takes', () => {
  expectTypeOf<Static<typeof paymentSchema>>().toExtend<PaymentEventBody>();
});

describe('takes', () => {
  test('the example, and hands it on as it is', async () => {
    const { post, api } = testServer();
    expect((await post(url, paymentExample)).statusCode).toBe(200);
    expect(api.acceptedPayments[0]?.body).toEqual(paymentExample);
  });

  test('every field that there is', async () => {
    const full = {
      customer: { id: 'c', psp_id: 'p', created_at: '2020-01-01T00:00:00Z', postal_code: '' },
      subscription: {
        id: 's',
        start_date: '2020-01-01T00:00:00+02:00',
        end_date: '9999-12-31T23:59:59Z',
        discounted_or_free_period: false,
        product_id: 'gold',
        billing: { period: 'month', frequency: 3 },
      },
      invoice: { id: 'i', created_at: '2026-06-01T00:00:00Z' },
      transactions: [
        {
          ...first,
          success: true,
          psp: 'worldpay',
          funding_source: 'UNCATEGORIZED',
          network_transaction_id: 'n',
          mid: 'm',
          reporting_group: 'g',
          billing_postal_code: '12345',
          auth: '0A1',
          bin: '42424242',
          captured: true,
          issuer_country: 'de',
          refunded: false,
          enhanced_data: { level_2: { tax: 1 }, level_3: { items: [{ a: null }] } },
          outcome: {
            raw_response_message: '',
            psp_response_message: 'ok',
            processor_response_code: 1000,
            network_status: 'approved',
            response_type: 'soft_decline',
          },
        },
      ],
      custom: { nested: { list: [1, 'a', null, true] }, 'ключ.с точкой': {} },
    };
    const { post, api } = testServer();
    expect((await post(url, full)).statusCode).toBe(200);
    expect(api.acceptedPayments[0]?.body).toEqual(full);
  });

  test.each([
    ['a success at a PSP that is not connected', { success: true, psp: 'adyen' }],
    ['a success of nothing', { success: true, amount: 0 }],
    ['a whole amount', { amount: 12 }],
    ['the smallest amount', { amount: 0.01 }],
    ['the largest amount', { amount: 9_999_999_999.99 }],
    ['a currency without decimals', { currency: 'JPY', amount: 1223 }],
    ['a currency with three', { currency: 'KWD', amount: 1.223 }],
    ['a bin of six digits', { bin: '424242' }],
    [
      'a response code as text',
      { outcome: { raw_response_message: 'x', processor_response_code: '51' } },
    ],
  ])('%s', async (_name, change) => {
    expect(await faultsOf(withTransaction(change))).toEqual([]);
  });

  test('two methods of which one took the charge in another currency', async () => {
    const body = withTransaction({}, { id: 't2', success: true, currency: 'EUR', psp: 'adyen' });
    expect(await faultsOf(body)).toEqual([]);
  });

  test('twenty transactions and 16 KiB of custom fields', async () => {
    const custom = { text: 'x'.repeat(16 * 1024 - '{"text":""}'.length) };
    const twenty = withTransaction(
      ...Array.from({ length: 20 }, (_, index) => ({ id: `t${index}` })),
    );
    expect(await faultsOf({ ...twenty, custom })).toEqual([]);
  });
});

const required = 'Field required';
const time =
  'Input should be an RFC 3339 timestamp from 1970 to 9999, such as 2026-01-31T09:30:00Z';
const country = 'Input should be a country code of two letters, such as US';

describe('refuses', () => {
  test('an empty object, with the parts in their order', async () => {
    expect(await faultsOf({})).toEqual([
      { customer: required },
      { subscription: required },
      { invoice: required },
      { transactions: required },
    ]);
  });

  test('an empty transaction, with the fields in their order', async () => {
    const faults = await faultsOf({ ...paymentExample, transactions: [{}] });
    const fields = ['id', 'psp_transaction_id', 'psp', 'acquirer_country', 'amount', 'currency'];
    const rest = ['funding_source', 'payment_method_id', 'psp_transaction_created_at', 'scheme'];
    expect(faults).toEqual(
      [...fields, ...rest, 'success', 'outcome'].map((field) => ({
        [`transactions.0.${field}`]: required,
      })),
    );
  });

  test.each<[string, Fields, Fields[]]>([
    [
      'no transaction',
      { transactions: [] },
      [{ transactions: 'List should have at least 1 item' }],
    ],
    [
      'transactions of another type',
      { transactions: {} },
      [{ transactions: 'Input should be a valid array' }],
    ],
    ['null', { customer: null, custom: null }, [{ customer: 'Input should be a valid object' }]],
    ['a list as custom', { custom: [] }, [{ custom: 'Input should be a valid object' }]],
    [
      'custom fields over 16 KiB',
      { custom: { text: 'é'.repeat(8 * 1024) } },
      [{ custom: 'Object should have at most 16384 bytes of JSON' }],
    ],
    [
      'an empty id',
      { invoice: { id: '', created_at: '2026-06-01T00:00:00Z' } },
      [{ 'invoice.id': 'String should have at least 1 character' }],
    ],
    [
      'days that do not exist',
      { invoice: { id: 'i', created_at: '2026-02-30T00:00:00Z' } },
      [{ 'invoice.created_at': time }],
    ],
    [
      'a date without a time',
      { subscription: { id: 's', start_date: '2026-02-01' } },
      [{ 'subscription.start_date': time }],
    ],
    [
      'a billing cycle that is none',
      {
        subscription: {
          ...paymentExample.subscription,
          billing: { period: 'fortnight', frequency: 0 },
        },
      },
      [
        { 'subscription.billing.period': "Input should be 'day', 'week', 'month' or 'year'" },
        { 'subscription.billing.frequency': 'Input should be greater than or equal to 1' },
      ],
    ],
  ])('%s', async (_name, change, errors) => {
    expect(await faultsOf({ ...paymentExample, ...change })).toEqual(errors);
  });

  test.each<[string, Fields, Fields]>([
    ['an amount as text', { amount: '12.23' }, { amount: 'Input should be a valid number' }],
    ['a negative amount', { amount: -1 }, { amount: 'Input should be greater than or equal to 0' }],
    ['a failed payment of nothing', { amount: 0 }, { amount: 'Input should be greater than 0' }],
    [
      'a third decimal of a dollar',
      { amount: 1.234 },
      { amount: 'Input should have at most 2 decimals in USD' },
    ],
    [
      'a decimal of a yen',
      { amount: 1.5, currency: 'JPY' },
      { amount: 'Input should have at most 0 decimals in JPY' },
    ],
    ['a tiny amount', { amount: 1e-9 }, { amount: 'Input should have at most 2 decimals in USD' }],
    [
      'an amount beyond the networks’ field',
      { amount: 10_000_000_000 },
      { amount: 'Input should be at most 9999999999.99' },
    ],
    [
      'a lower-case currency',
      { currency: 'usd' },
      { currency: 'Input should be a currency code of three capital letters, such as USD' },
    ],
    ['a long country', { acquirer_country: 'USA' }, { acquirer_country: country }],
    ['digits as a country', { issuer_country: '12' }, { issuer_country: country }],
    ['a short bin', { bin: '42424' }, { bin: 'Input should be six to eight digits' }],
    ['other digits in a bin', { bin: '٤٢٤٢٤٢' }, { bin: 'Input should be six to eight digits' }],
    [
      'a mixed-case funding source',
      { funding_source: 'Credit' },
      {
        funding_source:
          "Input should be 'credit', 'debit', 'mixed', 'paypal', 'prepaid', 'uncategorized' or 'unknown'",
      },
    ],
    [
      'an unknown PSP',
      { psp: 'square' },
      {
        psp: "Input should be 'stripe', 'adyen', 'braintree', 'worldpay', 'checkout', 'paypal', 'recurly', 'recharge' or 'sandbox'",
      },
    ],
    [
      'a failure at a PSP that is not connected',
      { psp: 'adyen' },
      {
        psp: 'A failed payment can be recovered only at a PSP that you have connected. Yours: sandbox, stripe.',
      },
    ],
    ['success as text', { success: 'false' }, { success: 'Input should be a valid boolean' }],
    ['an empty scheme', { scheme: '' }, { scheme: 'String should have at least 1 character' }],
    [
      'a long message',
      { outcome: { raw_response_message: 'x'.repeat(501) } },
      { 'outcome.raw_response_message': 'String should have at most 500 characters' },
    ],
    [
      'a response code of another type',
      { outcome: { raw_response_message: '', processor_response_code: true } },
      { 'outcome.processor_response_code': 'Input should be a valid string or number' },
    ],
    [
      'an unknown response type',
      { outcome: { raw_response_message: '', response_type: 'hard' } },
      { 'outcome.response_type': "Input should be 'soft_decline' or 'hard_decline'" },
    ],
  ])('%s', async (_name, change, fault) => {
    const [[field, text] = []] = Object.entries(fault);
    expect(await faultsOf(withTransaction(change))).toEqual([
      { [`transactions.0.${field}`]: text },
    ]);
  });

  test('a worldpay transaction without its two ids', async () => {
    const body = withTransaction({ psp: 'worldpay', success: true });
    expect(await faultsOf(body)).toEqual([
      { 'transactions.0.network_transaction_id': required },
      { 'transactions.0.mid': required },
    ]);
  });

  test('a failed payment in two currencies', async () => {
    expect(await faultsOf(withTransaction({}, { currency: 'EUR' }))).toEqual([
      { 'transactions.1.currency': "Input should be 'USD', the currency of the first transaction" },
    ]);
  });

  test('a failed payment at a PSP that another merchant has connected', async () => {
    const body = withTransaction({ psp: 'stripe' });
    expect(await faultsOf(body)).toEqual([]);
    expect(await faultsOf(body, { 'x-api-key': otherApiKey })).toEqual([
      {
        'transactions.0.psp':
          'A failed payment can be recovered only at a PSP that you have connected. Yours: sandbox, worldpay.',
      },
    ]);
  });

  test('a twenty-first transaction, with the faults of the others', async () => {
    const many = withTransaction(...Array.from({ length: 21 }, () => ({ scheme: 1 })));
    const faults = (await faultsOf(many)) as Fields[];
    expect(faults).toHaveLength(21);
    expect(faults[0]).toEqual({ transactions: 'List should have at most 20 items' });
    expect(faults[20]).toEqual({ 'transactions.19.scheme': 'Input should be a valid string' });
  });

  test('faults of all kinds at once, in the order of the fields', async () => {
    const body = withTransaction({ amount: 1.234, psp: 'adyen', scheme: undefined, bin: '1' });
    expect(await faultsOf({ ...body, invoice: 'i' })).toEqual([
      { invoice: 'Input should be a valid object' },
      { 'transactions.0.psp': expect.stringContaining('Yours: sandbox, stripe.') },
      { 'transactions.0.amount': 'Input should have at most 2 decimals in USD' },
      { 'transactions.0.scheme': required },
      { 'transactions.0.bin': 'Input should be six to eight digits' },
    ]);
  });
});
