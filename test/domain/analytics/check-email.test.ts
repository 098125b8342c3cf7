import { domainToASCII, domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkEmail } from '../../../src/domain/analytics/check-email.ts';

const names = { toAscii: domainToASCII, toUnicode: domainToUnicode };
const check = (text: string) => {
  const result = checkEmail(text, names);
  return result.kind === 'valid' ? result.email : result.reason;
};

/** Any UTF-16 units: fast-check takes seconds to begin with all of Unicode's characters. */
const units = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 })
  .map((codes) => String.fromCharCode(...codes));

const labels = (length: number, count: number) => Array(count).fill('b'.repeat(length)).join('.');

describe('an e-mail address', () => {
  it.each([
    ['a@example.com', 'a@example.com'],
    [' Jane@Example.COM\t', 'Jane@example.com'],
    ['Jane Doe <Jane@Example.com>', 'Jane@example.com'],
    ['"Doe, Jane" <jane@example.com> ', 'jane@example.com'],
    ['<jane@example.com>', 'jane@example.com'],
    ['ü@example.com', 'ü@example.com'],
    ['a\u0301@example.com', 'á@example.com'],
    ['😀@example.com', '😀@example.com'],
    ['a@Bücher.de', 'a@bücher.de'],
    ['a@xn--bcher-kva.de', 'a@bücher.de'],
    ['a@example\u3002com', 'a@example.com'],
    ['a@\uff45xample.com', 'a@example.com'],
    ['a@faß.de', 'a@faß.de'],
    ['Postmaster@Example.com', 'Postmaster@example.com'],
    [`${'a'.repeat(65)}@example.com`, `${'a'.repeat(65)}@example.com`],
    ["o'neil+x@example.com", "o'neil+x@example.com"],
  ])('%j is kept as %j', (text, email) => {
    expect(check(text)).toBe(email);
  });

  const before = 'The part before the @-sign is not valid.';
  const after = 'The part after the @-sign is not valid.';
  const noPeriod = `${after} It should have a period.`;
  const tooLong = 'The email address is too long.';
  it.each([
    ['', 'An email address must have an @-sign.'],
    ['a', 'An email address must have an @-sign.'],
    ['a\uff20example.com', 'An email address must have an @-sign.'],
    ['@', 'There must be something before the @-sign.'],
    ['@example.com', 'There must be something before the @-sign.'],
    ['a@', 'There must be something after the @-sign.'],
    ['a@b', noPeriod],
    ['a@localhost', noPeriod],
    ['a@example.123', after],
    ['a@1.2.3.4', after],
    ['a@[127.0.0.1]', after],
    ['a..b@example.com', before],
    ['.a@example.com', before],
    ['a.@example.com', before],
    ['a@example..com', after],
    ['a@.example.com', after],
    ['a@example.com.', after],
    ['a@-example.com', after],
    ['a@example.com-', after],
    ['a@exa-.mple.com', after],
    ['a b@example.com', before],
    ['a,b;c@example.com', before],
    ['a\u0007@example.com', before],
    ['a@b@c.com', before],
    ['"a b"@example.com', before],
    ['"a@b"@example.com', before],
    ['"a@example.com', before],
    ['a@example.com, b@example.com', before],
    ['a\u200b@example.com', before],
    ['a\u00a0b@example.com', before],
    ['\u0301a@example.com', before],
    ['a@exa_mple.com', after],
    ["a@exa'mple.com", after],
    ['a@exa%6dple.com', after],
    ['a@exam ple.com', after],
    ['a@ex\u00adample.com', after],
    ['a@x.test', after],
    ['a@x.local', after],
    ['a@x.localhost', after],
    ['a@x.invalid', after],
    ['a@x.onion', after],
    ['a@1.0.0.127.in-addr.arpa', after],
    ['a@b.com <c@example.com>', before],
    ['Jane <jane@example.com', before],
    [`a@${labels(64, 1)}.com`, after],
    [`a@${labels(63, 4)}.com`, after],
    [`${'a'.repeat(243)}@example.com`, tooLong],
    [`${'ü'.repeat(130)}@b.co`, tooLong],
    ['a'.repeat(2049), tooLong],
  ])('%j is refused: %s', (text, reason) => {
    expect(check(text)).toBe(reason);
  });

  it('that was kept is kept as it is', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        const first = checkEmail(text, names);
        if (first.kind === 'valid') expect(check(first.email)).toBe(first.email);
      }),
    );
  });

  it('of any characters is judged quickly', () => {
    fc.assert(
      fc.property(units, (text) => {
        expect(['valid', 'invalid']).toContain(checkEmail(text, names).kind);
      }),
    );
  });
});
