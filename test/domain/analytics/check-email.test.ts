import { domainToASCII, domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkEmail } from '../../../src/domain/analytics/check-email.ts';

const names = { toAscii: domainToASCII, toUnicode: domainToUnicode };
const check = (text: string) => {
  const result = checkEmail(text, names);
  return result.kind === 'valid' ? result.email : result.reason;
};

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
    ['Postmaster@Example.com', 'postmaster@example.com'],
    [`${'a'.repeat(65)}@example.com`, `${'a'.repeat(65)}@example.com`],
    ["o'neil+x@example.com", "o'neil+x@example.com"],
  ])('%j is kept as %j', (text, email) => {
    expect(check(text)).toBe(email);
  });

  const atSign = 'An email address must have an @-sign.';
  const special =
    'The part after the @-sign is a special-use or reserved name that cannot be used with email.';
  const quoted = 'Quoting the part before the @-sign is not allowed here.';
  it.each([
    ['', atSign],
    ['a', atSign],
    ['"a@example.com', atSign],
    [
      'a\uff20example.com',
      'The email address has the "full-width" at-sign (@) character instead of a regular at-sign.',
    ],
    ['@', 'There must be something before the @-sign.'],
    ['@example.com', 'There must be something before the @-sign.'],
    ['a@', 'There must be something after the @-sign.'],
    ['a@b', 'The part after the @-sign is not valid. It should have a period.'],
    ['a@localhost', 'The part after the @-sign is not valid. It should have a period.'],
    [
      'a@example.123',
      'The part after the @-sign is not valid. It is not within a valid top-level domain.',
    ],
    ['a..b@example.com', 'An email address cannot have two periods in a row.'],
    ['a@example..com', 'An email address cannot have two periods in a row.'],
    ['.a@example.com', 'An email address cannot start with a period.'],
    ['a.@example.com', 'An email address cannot have a period immediately before the @-sign.'],
    ['a@.example.com', 'An email address cannot have a period immediately after the @-sign.'],
    ['a@example.com.', 'An email address cannot end with a period.'],
    ['a@-example.com', 'An email address cannot have a hyphen immediately after the @-sign.'],
    ['a@example.com-', 'An email address cannot end with a hyphen.'],
    ['a@exa-.mple.com', 'An email address cannot have a period and a hyphen next to each other.'],
    [
      'a@ab--cd.com',
      'An email address cannot have two letters followed by two dashes immediately after the @-sign or after a period, except Punycode.',
    ],
    ['a b@example.com', 'The email address contains invalid characters before the @-sign: SPACE.'],
    [
      'a,b;c@example.com',
      "The email address contains invalid characters before the @-sign: ',', ';'.",
    ],
    [
      'a\u0007@example.com',
      'The email address contains invalid characters before the @-sign: U+0007.',
    ],
    ['a@exa_mple.com', "The part after the @-sign contains invalid characters: '_'."],
    ["a@exa'mple.com", `The part after the @-sign contains invalid characters: "'".`],
    ['a@exam ple.com', 'The part after the @-sign contains invalid characters: SPACE.'],
    ['a@b@c.com', "The part after the @-sign contains invalid characters: '@'."],
    [
      'a@example.com, b@example.com',
      "The part after the @-sign contains invalid characters: ',', '@', SPACE.",
    ],
    ['a@[127.0.0.1]', 'A bracketed IP address after the @-sign is not allowed here.'],
    ['"a b"@example.com', quoted],
    ['"a@b"@example.com', quoted],
    ['a@x.test', special],
    ['a@x.local', special],
    ['a@x.localhost', special],
    ['a@x.invalid', special],
    ['a@x.onion', special],
    ['a@1.0.0.127.in-addr.arpa', special],
    ['a\u200b@example.com', 'The email address contains unsafe characters: ZERO WIDTH SPACE.'],
    ['a\u00a0b@example.com', 'The email address contains unsafe characters: NO-BREAK SPACE.'],
    [
      '\u0301a@example.com',
      'The email address contains unsafe characters: COMBINING ACUTE ACCENT.',
    ],
    ['a@ex\u00adample.com', 'The email address contains unsafe characters: SOFT HYPHEN.'],
    [
      'Doe, Jane <jane@example.com>',
      "The display name contains invalid characters when not quoted: ','.",
    ],
    [
      'Jane <jane@example.com',
      'An open angle bracket at the start of the email address has to be followed by a close angle bracket at the end.',
    ],
    [
      `a@${labels(64, 1)}.com`,
      'After the @-sign, periods cannot be separated by so many characters (1 character too many).',
    ],
    [
      `a@${labels(65, 1)}.com`,
      'After the @-sign, periods cannot be separated by so many characters (2 characters too many).',
    ],
    [
      `a@${labels(63, 4)}.com`,
      'The email address is too long after the @-sign (6 characters too many).',
    ],
    [`${'a'.repeat(243)}@example.com`, 'The email address is too long (1 character too many).'],
    [`${'a'.repeat(250)}@example.com`, 'The email address is too long (8 characters too many).'],
    [`${'ü'.repeat(250)}@b.co`, 'The email address is too long (125-251 characters too many).'],
    ['a'.repeat(2049), 'Length must not exceed 2048 characters'],
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
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(['valid', 'invalid']).toContain(checkEmail(text, names).kind);
      }),
    );
  });
});
