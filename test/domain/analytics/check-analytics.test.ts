import { domainToASCII, domainToUnicode } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkAnalytics } from '../../../src/domain/analytics/check-analytics.ts';
import type { Json } from '../../../src/domain/payment.ts';
import { psps } from '../../../src/domain/psps.ts';

const names = { toAscii: domainToASCII, toUnicode: domainToUnicode };
const least = {
  customer_email: 'Jane@Example.COM',
  ipv4_address: '8.8.4.4',
  psp: 'stripe',
  charge_id: 'ch_1',
};

const check = (body: Json) => checkAnalytics(body, names);

function faultsOf(body: Json) {
  const result = check(body);
  return result.kind === 'valid' ? [] : result.detail.map(({ loc, type }) => [...loc, type]);
}

describe('a capture in order', () => {
  it('is kept with what it gives: the domain in lower case, ids as they came', () => {
    expect(check({ ...least, user_agent: 'curl', customer_id: ' c 1 ', unknown: [1] })).toEqual({
      kind: 'valid',
      analytics: {
        customerEmail: 'Jane@example.com',
        ipv4Address: '8.8.4.4',
        psp: 'stripe',
        userAgent: 'curl',
        ids: { customer_id: ' c 1 ', charge_id: 'ch_1' },
      },
    });
  });

  it.each([null, ''])('takes %j for an optional field that is not there', (none) => {
    expect(check({ ...least, user_agent: none, invoice_id: none, customer_id: none })).toEqual({
      kind: 'valid',
      analytics: {
        customerEmail: 'Jane@example.com',
        ipv4Address: '8.8.4.4',
        psp: 'stripe',
        ids: { charge_id: 'ch_1' },
      },
    });
  });

  it.each([
    'invoice_id',
    'subscription_id',
    'charge_id',
    'transaction_id',
    'network_transaction_id',
  ])('may name its payment by %s alone', (field) => {
    const { charge_id: _, ...without } = least;
    expect(faultsOf({ ...without, [field]: 'x' })).toEqual([]);
    expect(faultsOf({ ...without, customer_id: 'x' })).toEqual([['body', 'value_error']]);
  });

  it('may have texts of the whole length, counted in characters', () => {
    const [id, agent] = ['😀'.repeat(255), '😀'.repeat(2048)];
    expect(faultsOf({ ...least, charge_id: id, user_agent: agent })).toEqual([]);
    expect(faultsOf({ ...least, charge_id: `${id}x`, user_agent: `${agent}x` })).toEqual([
      ['body', 'user_agent', 'string_too_long'],
      ['body', 'charge_id', 'string_too_long'],
    ]);
  });
});

describe('a capture with faults', () => {
  it('is told of all of them, in the order of the fields', () => {
    expect(faultsOf({})).toEqual([
      ['body', 'customer_email', 'missing'],
      ['body', 'ipv4_address', 'missing'],
      ['body', 'psp', 'missing'],
    ]);
    expect(faultsOf({ ...least, invoice_id: 1, user_agent: {} })).toEqual([
      ['body', 'user_agent', 'string_type'],
      ['body', 'invoice_id', 'string_type'],
    ]);
  });

  it('is told of a missing payment only where each field is in order', () => {
    const { charge_id: _, ...without } = least;
    expect(faultsOf(without)).toEqual([['body', 'value_error']]);
    expect(faultsOf({ ...without, user_agent: 1 })).toEqual([
      ['body', 'user_agent', 'string_type'],
    ]);
    expect(faultsOf({ ...without, charge_id: 1 })).toEqual([['body', 'charge_id', 'string_type']]);
  });

  it.each([
    ['customer_email', 1, 'string_type'],
    ['customer_email', null, 'string_type'],
    ['customer_email', 'jane', 'value_error'],
    ['customer_email', 'a\0@example.com', 'string_unicode'],
    ['customer_email', '\ud800@example.com', 'string_unicode'],
    ['ipv4_address', 16909060, 'ip_v4_address'],
    ['ipv4_address', '::1', 'ip_v4_address'],
    ['psp', 'Stripe', 'enum'],
    ['psp', null, 'enum'],
    ['charge_id', 'a\0', 'string_unicode'],
    ['user_agent', '\udc00', 'string_unicode'],
  ])('says what is wrong with %s %j', (field, value, type) => {
    expect(faultsOf({ ...least, [field]: value })).toEqual([['body', field, type]]);
  });

  it.each([
    [null, 'missing'],
    [[], 'model_attributes_type'],
    ['text', 'model_attributes_type'],
    [1, 'model_attributes_type'],
  ])('is one as a whole where it is %j', (body, type) => {
    expect(faultsOf(body)).toEqual([['body', type]]);
  });

  it('names every PSP that there is', () => {
    const result = check({ ...least, psp: 'x' });
    const [item] = result.kind === 'valid' ? [] : result.detail;
    const [last] = psps.slice(-1);
    expect(item?.msg).toMatch(new RegExp(`^Input should be 'stripe', .* or '${last}'$`));
    for (const psp of psps) expect(item?.msg).toContain(`'${psp}'`);
  });

  it('has no field of what every object has', () => {
    expect(faultsOf(Object.create({ ...least }))).toHaveLength(3);
  });
});
