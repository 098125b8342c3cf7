import { expect, it } from 'vitest';
import { withoutEmails } from '../../src/merchant/without-emails.ts';

it.each([
  ['ann.lee@shop.example', '…'],
  ['to <ann@shop.example>, bob+x@mail.shop.example.', 'to <…>, ….'],
  ['"ann@shop.example":1', '"…":1'],
  ['möte@käse.example und müller@straße.de', '… und …'],
  ['mail=ann@shop.example&n=1', '…&n=1'],
  ['GET /?mail=ann.lee%40shop.example&n=1', 'GET …&n=1'],
  ['ann@shop.examplebob@mail.example', '…@mail.example'],
  ['ann@shop.example/bob@mail.example', '……'],
  ['a@b@shop.example', 'a@…'],
  ['ann@shop.x.example.1', '….1'],
])('%s has no address of a person any more', (text, kept) => {
  expect(withoutEmails(text, '…')).toBe(kept);
});

it.each([
  'ann@shop',
  '@shop.example',
  'ann @shop.example',
  'ann@.example',
  'ann@shop.e',
  'v1.2@3.4',
  '100%40 more',
  '',
])('%j is none', (text) => {
  expect(withoutEmails(text, '…')).toBe(text);
});

it('reads a long word once, whatever it is made of', () => {
  for (const part of ['a', 'b.', '%40', '@', 'a@', 'a@b.', '@.ab']) {
    expect(withoutEmails(part.repeat(200_000), '…')).not.toBe('');
  }
});
