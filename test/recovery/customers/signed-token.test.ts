import { array, assert, constantFrom, integer, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  customerPageUrl,
  readCustomerLink,
  signCustomerLink,
} from '../../../src/recovery/customers/customer-link.ts';
import { createSignedTokens } from '../../../src/recovery/customers/signed-token.ts';

const hashCredential = (text: string) => `hash of ${text}`;
const tokens = createSignedTokens({ hashCredential }, 'customer link, v1');
const endsAt = new Date('2026-06-29T00:00:05.000Z');
const link = { merchantId: 'mer_1', invoiceId: 'in_1', endsAt };
const token = signCustomerLink(tokens)(link);
const before = new Date(endsAt.getTime() - 1);
const read = (text: string, merchantId = 'mer_1', now = before) =>
  readCustomerLink(tokens, { merchantId, token: text, now });

describe('a signed token', () => {
  test('says what was signed, whatever the ids are', () => {
    const run = property(string({ minLength: 1 }), array(string()), (merchantId, parts) => {
      const signed = tokens.sign(merchantId, parts);
      expect(tokens.read(signed)).toEqual({ merchantId, parts });
      expect(encodeURIComponent(signed)).toBe(signed);
    });
    assert(run);
  });

  test('is none with any character changed', () => {
    const characters = constantFrom(...'abcXYZ012-_.');
    const run = property(integer({ min: 0, max: token.length - 1 }), characters, (at, other) => {
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      // The last character of a signature has two bits that stand for nothing.
      if (at === token.length - 1 || changed === token) return;
      expect(tokens.read(changed)).toBeUndefined();
    });
    assert(run);
  });

  test('of another use or another service is none', () => {
    const stops = createSignedTokens({ hashCredential }, 'stop messages, v1');
    const others = createSignedTokens({ hashCredential: (t) => `other ${t}` }, 'customer link, v1');
    expect([stops.read(token), others.read(token)]).toEqual([undefined, undefined]);
  });

  test.each(['', '.', 'a.b', 'x'.repeat(5_000), `${token}.x`, 'bnVsbA.AAAA', 'WzFd.AAAA'])(
    '%s is none',
    (text) => {
      expect(tokens.read(text)).toBeUndefined();
    },
  );
});

describe("a customer's link", () => {
  test('names its payment until the window ends', () => {
    expect(read(token)).toEqual({ kind: 'link', link });
    expect(read(token, 'mer_1', endsAt)).toEqual({ kind: 'ended', endedAt: endsAt });
  });

  test('is foreign to another merchant, and bad where it was not signed', () => {
    expect(read(token, 'mer_2')).toEqual({ kind: 'foreign' });
    expect(read(`x${token}`)).toEqual({ kind: 'bad' });
  });

  test('ends no sooner than a window that ends within a second', () => {
    const late = signCustomerLink(tokens)({ ...link, endsAt: new Date(endsAt.getTime() + 1) });
    expect(read(late, 'mer_1', endsAt).kind).toBe('link');
  });

  test("stands where the merchant's address has it", () => {
    expect(customerPageUrl('https://a.example/pay?t={token}&x=1', 'a$&b')).toBe(
      'https://a.example/pay?t=a$&b&x=1',
    );
  });
});
