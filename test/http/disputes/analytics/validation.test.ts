import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AnalyticsWorld,
  analyticsRecord,
  openAnalyticsWorld,
} from '../../../kits/analytics-world.ts';

let world: AnalyticsWorld;
beforeAll(async () => {
  world = await openAnalyticsWorld();
});
afterAll(() => world.close());

type Item = readonly [loc: readonly (string | number)[], msg: string, type: string];

const pspList =
  "Input should be 'stripe', 'adyen', 'braintree', 'worldpay', 'checkout', 'paypal', 'recurly', 'recharge' or 'sandbox'";
const missing = (field: string): Item => [['body', field], 'Field required', 'missing'];
const notAString = (field: string): Item => [
  ['body', field],
  'Input should be a valid string',
  'string_type',
];
const email = (reason: string): Item => [
  ['body', 'customer_email'],
  `value is not a valid email address: ${reason}`,
  'value_error',
];
const ip: Item = [['body', 'ipv4_address'], 'Input is not a valid IPv4 address', 'ip_v4_address'];
const psp: Item = [['body', 'psp'], pspList, 'enum'];
const rule: Item = [
  ['body'],
  'Value error, at least one of invoice_id, subscription_id, charge_id, transaction_id, network_transaction_id must be present',
  'value_error',
];
const tooLong = (field: string, max: number): Item => [
  ['body', field],
  `String should have at most ${max} characters`,
  'string_too_long',
];
const notUnicode = (field: string): Item => [
  ['body', field],
  'Input should be a valid string, unable to parse raw data as a unicode string',
  'string_unicode',
];
const notAnObject: Item = [
  ['body'],
  'Input should be a valid dictionary or object to extract fields from',
  'model_attributes_type',
];
const noBody: Item = [['body'], 'Field required', 'missing'];
const notJson: Item = [['body'], 'JSON decode error', 'json_invalid'];

function withField(field: string, value: unknown): object {
  return { ...analyticsRecord, [field]: value };
}
const { charge_id: _, ...bare } = analyticsRecord;

const refused: readonly (readonly [what: string, body: unknown, items: readonly Item[]])[] = [
  ['every field', {}, ['customer_email', 'ipv4_address', 'psp'].map(missing)],
  ['one field', { ...analyticsRecord, psp: undefined }, [missing('psp')]],
  [
    'an e-mail address that is null',
    withField('customer_email', null),
    [notAString('customer_email')],
  ],
  [
    'an e-mail address that is a number',
    withField('customer_email', 7),
    [notAString('customer_email')],
  ],
  [
    'an e-mail address without an @-sign',
    withField('customer_email', 'jane'),
    [email('An email address must have an @-sign.')],
  ],
  [
    'an e-mail address with a lone surrogate',
    withField('customer_email', 'a\ud800@example.com'),
    [notUnicode('customer_email')],
  ],
  [
    'an e-mail address that is too long',
    withField('customer_email', `${'a'.repeat(250)}@example.com`),
    [email('The email address is too long.')],
  ],
  [
    'an e-mail address beyond all limits',
    withField('customer_email', `${'a'.repeat(3000)}@example.com`),
    [email('The email address is too long.')],
  ],
  ...[null, 16_909_060, true, '01.2.3.4', ' 1.2.3.4', '1.2.3.4/24', '::1', '1.2.3', ''].map(
    (value) =>
      [`${JSON.stringify(value)} as address`, withField('ipv4_address', value), [ip]] as const,
  ),
  ...[null, 1, 'Stripe', '', ['stripe']].map(
    (value) => [`${JSON.stringify(value)} as psp`, withField('psp', value), [psp]] as const,
  ),
  ['a user agent that is none', withField('user_agent', 5), [notAString('user_agent')]],
  ['an id that is a number', withField('invoice_id', 1), [notAString('invoice_id')]],
  ['an id that is a list', withField('charge_id', ['ch_1']), [notAString('charge_id')]],
  ['an id with a NUL character', withField('charge_id', 'ch\0'), [notUnicode('charge_id')]],
  [
    'an id of 256 characters',
    withField('customer_id', 'x'.repeat(256)),
    [tooLong('customer_id', 255)],
  ],
  [
    'a user agent of 2049 characters',
    withField('user_agent', 'x'.repeat(2049)),
    [tooLong('user_agent', 2048)],
  ],
  ['no payment id', bare, [rule]],
  ['payment ids that are null or empty', { ...bare, invoice_id: null, charge_id: '' }, [rule]],
  ['no payment id, and another fault', { ...bare, psp: 'x' }, [psp]],
  [
    'several fields, in their own order',
    { network_transaction_id: 1, user_agent: 2, psp: 'x', ipv4_address: 3, customer_email: 'a@b' },
    [
      email('The part after the @-sign is not valid. It should have a period.'),
      ip,
      psp,
      notAString('user_agent'),
      notAString('network_transaction_id'),
    ],
  ],
  ['no body', undefined, [noBody]],
  ['an empty body', '', [noBody]],
  ['null', 'null', [noBody]],
  ['a list', '[]', [notAnObject]],
  ['a text', '"a"', [notAnObject]],
  ['a number', '7', [notAnObject]],
  ['true', 'true', [notAnObject]],
  ['half an object', '{"psp": ', [notJson]],
  ['a trailing comma', '{"psp":"stripe",}', [notJson]],
  ['a bare word', 'psp', [notJson]],
  ['two values', '{} {}', [notJson]],
  ['NaN', '{"a":NaN}', [notJson]],
  ['blanks alone', '  ', [notJson]],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), [notJson]],
];

describe('an analytics record is refused with 422 for', () => {
  it.each(refused)('%s', async (_what, body, items) => {
    const { status, text, headers } = await world.call('POST', '/v1/analytics/', body);
    // The exact text: three members, in this order, and no other.
    const detail = items.map(([loc, msg, type]) => ({ loc, msg, type }));
    expect([status, text]).toEqual([422, JSON.stringify({ detail })]);
    expect(headers.get('content-type')).toBe('application/json');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'nonsense', 'application/jsonx'])(
    'a body that is said to be %s',
    async (type) => {
      const answer = await world.call('POST', '/v1/analytics/', analyticsRecord, {
        'content-type': type,
      });
      const [loc, msg, kind] = notAnObject;
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        422,
        { detail: [{ loc, msg, type: kind }] },
      ]);
    },
  );

  it('a body that is said to be nothing', async () => {
    const body = new Blob([JSON.stringify(analyticsRecord)]);
    const headers = { authorization: world.first.authorization };
    const answer = await fetch(`${world.url}/v1/analytics/`, { method: 'POST', body, headers });
    expect([answer.status, await answer.text()]).toEqual([
      422,
      `{"detail":[{"loc":["body"],"msg":"${notAnObject[1]}","type":"model_attributes_type"}]}`,
    ]);
  });
});

const accepted: readonly (readonly [what: string, body: object])[] = [
  [
    'with null in every optional field but one',
    {
      ...analyticsRecord,
      user_agent: null,
      customer_id: null,
      invoice_id: null,
      subscription_id: null,
      transaction_id: null,
      network_transaction_id: null,
    },
  ],
  ['with unknown fields', { ...analyticsRecord, amount: 1e30, constructor: 'x', nested: [[{}]] }],
  ['with ids of 255 characters', withField('charge_id', '😀'.repeat(255))],
  ['with a user agent of 2048 characters', withField('user_agent', 'x'.repeat(2048))],
  ...['invoice_id', 'subscription_id', 'charge_id', 'transaction_id', 'network_transaction_id'].map(
    (field) => [`with ${field} alone`, { ...bare, [field]: 'x' }] as const,
  ),
];

describe('an analytics record is accepted', () => {
  it.each(accepted)('%s', async (_what, body) => {
    expect((await world.call('POST', '/v1/analytics/', body)).status).toBe(200);
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/ld+json'])(
    'as %s',
    async (type) => {
      const answer = await world.call('POST', '/v1/analytics/', analyticsRecord, {
        'content-type': type,
      });
      expect(answer.status).toBe(200);
    },
  );

  it('behind a byte order mark', async () => {
    const body = Buffer.from(`\ufeff${JSON.stringify(analyticsRecord)}`);
    expect((await world.call('POST', '/v1/analytics/', body)).status).toBe(200);
  });

  it('as what it says, however the e-mail address was written', async () => {
    const ids = await Promise.all(
      ['Jane@Example.com', ' Jane@EXAMPLE.com ', 'Jane Doe <Jane@example.com>'].map((address) =>
        world.submit(withField('customer_email', address)),
      ),
    );
    expect(new Set(ids).size).toBe(1);
  });
});

it('a body of more than 64 KiB is 413', async () => {
  const answer = await world.call('POST', '/v1/analytics/', withField('more', 'x'.repeat(70_000)));
  expect([answer.status, answer.text]).toEqual([
    413,
    '{"detail":"An analytics record may have at most 65536 bytes."}',
  ]);
});
