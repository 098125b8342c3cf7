import { describe, expect, it } from 'vitest';
import type { MerchantSecrets } from '../../src/domain/merchant.ts';
import { answerExcerpt } from '../../src/merchant/answer-excerpt.ts';

const secrets: MerchantSecrets = {
  auth: { type: 'api_key', api_key: 'canary-api-key' },
  signingSecrets: ['whsec_canary'],
};

function excerpt(body: string | Uint8Array, type?: string, of = secrets): string | undefined {
  const headers = type === undefined ? {} : { 'content-type': type };
  const own = { 'x-team-key': 'canary-header' };
  return answerExcerpt({ headers, body: Buffer.from(body) }, { secrets: of, headers: own });
}

describe('what is kept of an answer', () => {
  it.each([
    ['text/plain', 'Out of order'],
    ['text/html; charset=utf-8', '<h1>502 Bad Gateway</h1>'],
    ['application/json', '{"detail":"Server is unavailable"}'],
    ['application/problem+json', '{"title":"no"}'],
    ['application/soap+xml', '<fault/>'],
  ])('is its text, of %s', (type, body) => {
    expect(excerpt(body, type)).toBe(body);
  });

  it('is nothing of what is no text', () => {
    expect(excerpt('GIF89a', 'image/gif')).toBeUndefined();
    expect(excerpt(new Uint8Array([0xff, 0xfe, 0x00]))).toBeUndefined();
    expect(excerpt('')).toBeUndefined();
    expect(excerpt(' \r\n')).toBeUndefined();
  });

  it('is a text that nobody named one, where it reads as one', () => {
    expect(excerpt('no such route')).toBe('no such route');
  });

  it('has no card numbers, e-mail addresses and credentials of ours', () => {
    const body =
      'card 4242 4242 4242 4242 of ann.lee@shop.example; x-api-key: canary-api-key, whsec_canary, canary-header';
    const kept = excerpt(body, 'text/plain');
    expect(kept).toBe(
      'card **** **** **** 4242 of [e-mail]; x-api-key: [secret], [secret], [secret]',
    );
  });

  it('has no Basic credentials in either form', () => {
    const auth = { type: 'basic', username: 'recoup', password: 'hunter2hunter2' } as const;
    const pair = Buffer.from('recoup:hunter2hunter2').toString('base64');
    const kept = excerpt(`hunter2hunter2 Basic ${pair}`, 'text/plain', { ...secrets, auth });
    expect(kept).toBe('[secret] Basic [secret]');
  });

  it.each([
    [
      'JSON',
      'k/e+y=="&<1\\2>',
      JSON.stringify({ given: 'k/e+y=="&<1\\2>' }),
      '{"given":"[secret]"}',
    ],
    [
      'JSON by PHP',
      'abc/def==',
      String.raw`{"auth":"Basic abc\/def=="}`,
      '{"auth":"Basic [secret]"}',
    ],
    [
      'JSON in ASCII',
      "it's&<a>",
      String.raw`{"x":"it\u0027s\u0026\u003Ca\u003E"}`,
      '{"x":"[secret]"}',
    ],
    ['HTML', `it's&"<a>`, '<td>it&#x27;s&amp;&quot;&lt;a&gt;</td>', '<td>[secret]</td>'],
    ['HTML by numbers', 'a/b=c+d', '<td>a&#x2F;b&#61;c&#043;d</td>', '<td>[secret]</td>'],
    ['a form', 'a/b=c+d&e', 'key=a%2Fb%3dc%2Bd%26e&n=1', 'key=[secret]&n=1'],
    [
      'JSON in HTML',
      'a"bcd/e',
      String.raw`{&quot;x&quot;:&quot;a\&quot;bcd\/e&quot;}`,
      '{&quot;x&quot;:&quot;[secret]&quot;}',
    ],
    [
      'JSON in JSON',
      'a"bcd/e',
      JSON.stringify({ x: JSON.stringify('a"bcd/e') }),
      String.raw`{"x":"\"[secret]\""}`,
    ],
    ['what looks escaped itself', 'abc%2Fdef&amp;', 'it was abc%2Fdef&amp;', 'it was [secret]'],
  ])('has no credentials as they are written in %s', (_form, key, body, kept) => {
    const auth = { type: 'api_key', api_key: key } as const;
    expect(excerpt(body, 'text/plain', { ...secrets, auth })).toBe(kept);
  });

  it('keeps what is escaped and no credential as it came', () => {
    const body = String.raw`{"a\/b":"&amp; %41 \u0041", "key":"canary-api-key"} 100%`;
    expect(excerpt(body, 'text/plain')).toBe(body.replace('canary-api-key', '[secret]'));
  });

  it('is a thousand characters at most, of which none cuts a card number open', () => {
    expect(excerpt('x'.repeat(5_000), 'text/plain')).toHaveLength(1_000);
    const kept = excerpt(`${'x '.repeat(495)}4242424242424242`, 'text/plain');
    expect(kept).toHaveLength(1_000);
    expect(kept).not.toMatch(/4242/);
  });

  it('can be stored: it has no NUL, and a character that was cut is none', () => {
    expect(excerpt('a\0b\u001b[31mc\r\nd', 'text/plain')).toBe('a b [31mc\nd');
    const cut = Buffer.from('müde 😀').subarray(0, -1);
    expect(excerpt(cut, 'text/plain')).toBe('müde');
    expect(excerpt(cut)).toBe('müde');
  });
});
