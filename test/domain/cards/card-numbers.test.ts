import { describe, expect, it } from 'vitest';
import {
  holdsCardNumber,
  maskCardDigits,
  maskCardNumbers,
} from '../../../src/domain/cards/card-numbers.ts';

/** Test numbers of the networks and PSPs; none is of an account. */
const cards = {
  Visa: '4111111111111111',
  'Visa of 19': '4111111111111111110',
  Mastercard: '5555555555554444',
  'Mastercard 2 series': '2223003122003222',
  'the end of the 2 series': '2720990000000007',
  'American Express': '378282246310005',
  Discover: '6011111111111117',
  'Diners Club of 14': '30569309025904',
  'Diners Club of 16': '3056930009020004',
  JCB: '3566002020360505',
  UnionPay: '6200000000000005',
  'UnionPay of 19': '6205500000000000004',
  Maestro: '6759649826438453',
  Mir: '2201382000000013',
};

const groupsOf: Readonly<Record<number, readonly number[]>> = {
  14: [4, 6, 4],
  15: [4, 6, 5],
  16: [4, 4, 4, 4],
  19: [4, 4, 4, 4, 3],
};

function grouped(digits: string, separator: string): string {
  let at = 0;
  return (groupsOf[digits.length] ?? [])
    .map((length) => {
      at += length;
      return digits.slice(at - length, at);
    })
    .join(separator);
}

describe.each(Object.entries(cards))('the number of a card of %s', (_network, digits) => {
  it.each(['', ' ', '-', '.', ' ', '–', ' - '])('is known with %j between', (separator) => {
    const text = separator === '' ? digits : grouped(digits, separator);
    for (const id of [text, `inv_${text}`, `a/${text}/b`, `x ${text}`]) {
      expect(holdsCardNumber(id)).toBe(true);
    }
    const masked = maskCardNumbers(`paid by ${text}, thanks`);
    expect(masked.length).toBe(`paid by ${text}, thanks`.length);
    expect(masked.replaceAll(/\D/g, '')).toBe(digits.slice(-4));
    expect(maskCardNumbers(masked)).toBe(masked);
  });

  it.each(['_', '/', ', ', ':', '|', '+', '\n', '\r\n'])(
    'is masked in a text with %j between',
    (other) => {
      const text = `paid by ${grouped(digits, other)}, thanks`;
      const masked = maskCardNumbers(text);
      expect(masked.length).toBe(text.length);
      expect(masked.replaceAll(/\D/g, '')).toBe(digits.slice(-4));
      // Ids are full of such groups: one in ten would be refused for its check digit alone.
      expect(holdsCardNumber(`inv_${grouped(digits, other)}`)).toBe(false);
    },
  );

  it('is none with another check digit, or another digit before or behind', () => {
    const other = digits.slice(0, -1) + ((Number(digits.at(-1)) + 1) % 10);
    expect(holdsCardNumber(other)).toBe(false);
    expect(maskCardNumbers(other)).toBe(other);
    expect(holdsCardNumber(`${digits}00000`)).toBe(false);
  });
});

it('is known in the digits of other scripts, and in a number of JSON', () => {
  const fullWidth = '４１１１１１１１１１１１１１１１';
  expect(holdsCardNumber(fullWidth)).toBe(true);
  expect(maskCardNumbers(fullWidth)).toBe('************１１１１');
  expect(maskCardNumbers('٤١١١ ١١١١ ١١١١ ١١١١')).toBe('**** **** **** ١١١١');
  expect(maskCardDigits(4111111111111111)).toBe('************1111');
  expect(maskCardDigits(4111111111111112)).toBe(4111111111111112);
});

it.each([
  ['card4111111111111111exp', 'card************1111exp'],
  ['4111-1111 1111.1111 12/27 123', '****-**** ****.1111 12/27 123'],
  ['41 11 11 11 11 11 11 11', '** ** ** ** ** ** 11 11'],
  ['4111\u200b1111\u200b1111\u200b1111', '****\u200b****\u200b****\u200b1111'],
  ['two: 4111111111111111, 5555555555554444', 'two: ************1111, ************4444'],
  ['{"pan":"4111111111111111"}', '{"pan":"************1111"}'],
  ['4222 222 222 222', '**** *** **2 222'],
])('is masked in %j', (text, masked) => {
  expect(maskCardNumbers(text)).toBe(masked);
});

it('is no network transaction id of 15 digits, which Visa gives', () => {
  expect(holdsCardNumber('378282246310005', 'network_transaction')).toBe(false);
  expect(holdsCardNumber('4111111111111111', 'network_transaction')).toBe(true);
});

describe('ids that systems make', () => {
  const random = lcg(7);
  const from = (alphabet: string, count: number) => {
    let text = '';
    while (text.length < count) text += alphabet[Math.floor(random() * alphabet.length)];
    return text;
  };
  const digits = (count: number) => from('0123456789', count);
  const hex = (count: number) => from('0123456789abcdef', count);
  const upper = (count: number) => from('0123456789ABCDEFGHJKMNPQRSTVWXYZ', count);
  const base62 = (count: number) =>
    from('0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ', count);
  const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-${from('89ab', 1)}${hex(3)}-${hex(12)}`;
  const at = () =>
    new Date(Date.UTC(2023, 0, 1) + Math.floor(random() * 4.9 * 365.25 * 86_400_000));
  const stamp = () => at().toISOString().replaceAll(/\D/g, '');
  const epochMs = () => at().getTime().toString();

  const makers: Readonly<Record<string, () => string>> = {
    'UUIDs, version 4': uuid,
    'UUIDs, version 7': () => `${hex(8)}-${hex(4)}-7${hex(3)}-a${hex(3)}-${hex(12)}`,
    'UUIDs without dashes, as Recurly and Zuora give': () => hex(32),
    'hashes (SHA-256)': () => hex(64),
    ULIDs: () => `01J${upper(23)}`,
    'nano ids': () => from('0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_', 21),
    'Stripe ids': () => `pm_${base62(24)}`,
    'Checkout.com ids': () => `pay_${from('abcdefghijklmnopqrstuvwxyz234567', 26)}`,
    'PayPal ids': () => from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', 17),
    'Braintree ids': () => from('0123456789abcdefghjkmnpqrstvwxyz', 8),
    'Adyen references of digits': () => from('789', 1) + from('345678', 1) + digits(14),
    'Adyen references of letters': () => from('0123456789BCDFGHKLMNPQRSTVWXZ', 16),
    'Shopify ids': () => `${from('123456789', 1)}${digits(12)}`,
    'Shopify addresses': () => `gid://shopify/Order/${from('4567', 1)}${digits(12)}`,
    'Recharge and Authorize.net ids': () => digits(11),
    'CyberSource ids': () => `7${digits(21)}`,
    'Vantiv ids': () => `8${digits(16)}`,
    'Amazon orders': () => `${from('01234567', 1)}${digits(2)}-${digits(7)}-${digits(7)}`,
    'Google Play orders': () => `GPA.3${digits(3)}-${digits(4)}-${digits(4)}-${digits(5)}`,
    'Snowflake ids': () => (10n ** 17n + BigInt(digits(17)) * 9n).toString(),
    'Unix seconds': () => epochMs().slice(0, 10),
    'Unix milliseconds': epochMs,
    'Unix microseconds': () => epochMs() + digits(3),
    'Unix nanoseconds': () => epochMs() + digits(6),
    YYYYMMDDHHMMSS: () => stamp().slice(0, 14),
    YYYYMMDDHHMMSSmmm: stamp,
    'order numbers of YYYYMMDD and eight digits': () => stamp().slice(0, 8) + digits(8),
    'order numbers of YYMMDD and ten digits': () => stamp().slice(2, 8) + digits(10),
    'order numbers of DDMMYYYY and eight digits': () => {
      const day = stamp();
      return day.slice(6, 8) + day.slice(4, 6) + day.slice(0, 4) + digits(8);
    },
    'order numbers of up to 13 digits': () => digits(1 + Math.floor(random() * 13)),
    'padded sequences': () => digits(6).padStart(16, '0'),
    'acquirer reference numbers': () => `7${digits(22)}`,
    'times in RFC 3339': () => at().toISOString(),
  };

  it.each(Object.entries(makers))('%s are never refused', (_name, make) => {
    const refused = Array.from({ length: 10_000 }, make).filter((id) => holdsCardNumber(id));
    expect(refused).toEqual([]);
  });

  it.each([
    'dae072bf-5853-4136-8066-d7dbc1f8c44c',
    '067344A2-5726-4515-8252-AB12937FEA2A',
    '5853a136-8066-4111-8111-411111111111',
    'pay_29bef646-6707-4996-9861-c8928b2cb4bb',
    '85a3cf60-5699-4858-9340-cd70613ae997:00000000000000000000177746362636626:000000000031',
    'a thing \u{1f4b3} of 67a5b7a7-6754-4934-8993-53a356b358c6',
  ])('the groups of a UUID are no card’s: %s', (id) => {
    expect(holdsCardNumber(id)).toBe(false);
    expect(maskCardNumbers(id)).toBe(id);
  });

  it('a card’s number in the form of a UUID, or beside one, is refused all the same', () => {
    expect(holdsCardNumber('00000000-5853-4136-8066-000000000000')).toBe(true);
    expect(holdsCardNumber('dae072bf-5853-4136-8066-d7dbc1f8c44c-4111111111111111')).toBe(true);
    expect(holdsCardNumber('4111-1111-1111-1111-dae072bf-5853-4136-8066-d7dbc1f8c44c')).toBe(true);
    expect(maskCardNumbers('\u{1f4b3} dae072bf-5853-4136-8066-d7dbc1f8c44c 4111111111111111')).toBe(
      '\u{1f4b3} dae072bf-5853-4136-8066-d7dbc1f8c44c ************1111',
    );
  });

  it('network transaction ids of Visa are never refused in their own field', () => {
    const ids = Array.from({ length: 10_000 }, () => from('345', 1) + digits(14));
    expect(ids.filter((id) => holdsCardNumber(id, 'network_transaction'))).toEqual([]);
  });

  it('a few in a hundred random numbers of 16 digits is: it cannot be told from a card', () => {
    const ids = Array.from({ length: 10_000 }, () => from('123456789', 1) + digits(15));
    const share = ids.filter((id) => holdsCardNumber(id)).length / ids.length;
    expect(share).toBeGreaterThan(0.02);
    expect(share).toBeLessThan(0.05);
  });
});

/** A linear congruential generator: the same ids in each run. */
function lcg(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
