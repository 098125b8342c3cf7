import { expect, test } from 'vitest';
import {
  defaultMessageSettings,
  isEmailAddress,
  isLanguage,
  isMailbox,
  languageOf,
  mailboxParts,
  missingForMessages,
} from '../../../src/domain/messages/message-settings.ts';

test.each([
  'billing@acme.example',
  'Acme <billing@acme.example>',
  'Käse & Söhne GmbH <rechnung+mahnung@kaese.example>',
  'jürgen@bücher.example',
  "o'neil_{x}@例え.テスト",
])('%s is a mailbox', (text) => {
  expect(isMailbox(text)).toBe(true);
});

test.each([
  '',
  'Acme',
  'Acme <billing@acme.example',
  'billing@acme.example>',
  'Acme <billing@acme.example>, x@example.com',
  'Acme\r\nBcc: x@example.com <billing@acme.example>',
  'a@b@c.example',
  `${'x'.repeat(65)}@acme.example`,
  // A mail library takes these for comments, quotes them, or leaves them out.
  'a(b)@acme.example',
  'a[b]@acme.example',
  'a\\b@acme.example',
  'a\u0000b@acme.example',
  'a\u200bb@acme.example',
])('%j is none', (text) => {
  expect(isMailbox(text)).toBe(false);
});

test.each([
  ['billing@acme.example', '', 'billing@acme.example'],
  ['Acme, Inc (Germany) <billing@acme.example>', 'Acme, Inc (Germany)', 'billing@acme.example'],
  ['Acme: Billing<billing@acme.example>', 'Acme: Billing', 'billing@acme.example'],
])('%s has a name and an address', (text, name, address) => {
  expect(mailboxParts(text)).toEqual({ name, address });
});

test('a customer is known by an address alone', () => {
  expect([isEmailAddress('a@b.example'), isEmailAddress('A <a@b.example>')]).toEqual([true, false]);
});

test('zones and languages are told from other words', () => {
  expect(['en', 'pt-BR', 'english', 'EN'].map(isLanguage)).toEqual([true, true, false, false]);
});

test.each([
  ['en', 'en'],
  ['pt-BR', 'pt-BR'],
  ['pt-br', 'pt-BR'],
  ['de_AT', 'de-AT'],
  ['ES', 'es'],
  ['es-419', 'es'],
  ['zh-Hant-TW', 'zh-TW'],
  ['english', undefined],
  ['', undefined],
  ['de, en', undefined],
])('%j is the language %s', (text, language) => {
  expect(languageOf(text)).toBe(language);
});

test('what is missing is named', () => {
  const nothing = { page: false, mailServer: false, address: false };
  expect(missingForMessages(defaultMessageSettings, nothing).length).toBe(4);
  const all = { page: true, mailServer: true, address: true };
  expect(missingForMessages({ ...defaultMessageSettings, sender: 'a@b.example' }, all)).toEqual([]);
});
