import { assert, property, record, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  builtInLanguages,
  builtInTemplates,
  chooseTemplate,
} from '../../../src/domain/messages/built-in-templates.ts';
import {
  messageReason,
  messageReasons,
  renderTemplate,
  templateFaults,
} from '../../../src/domain/messages/message-template.ts';

const values = {
  merchant: 'Acme',
  amount: '$12.23',
  invoice_id: 'in_1',
  link: 'https://acme.example/pay/t',
  until: 'June 29',
};

describe('our own templates', () => {
  test('are there for each reason in each language, and pass the check of all templates', () => {
    expect(builtInTemplates.length).toBe(messageReasons.length * builtInLanguages.length);
    expect(builtInTemplates.flatMap((each) => templateFaults(each, each.reason))).toEqual([]);
  });

  test('differ from reason to reason', () => {
    const bodies = new Set(builtInTemplates.map(({ body }) => body));
    expect(bodies.size).toBe(builtInTemplates.length);
  });
});

describe('a template', () => {
  test.each([
    [{ subject: 'x {name}', body: '{link}' }, 'subject'],
    [{ subject: 'x', body: '{link} {amuont}' }, 'body'],
    [{ subject: 'x', body: 'no way in' }, 'body'],
    [{ subject: 'x {link}', body: '{link}' }, 'subject'],
    [{ subject: 'x\r\nBcc: y@example.com', body: '{link}' }, 'subject'],
    [{ subject: ' ', body: '{link}' }, 'subject'],
    [{ subject: 'x'.repeat(151), body: '{link}' }, 'subject'],
    [{ subject: 'x', body: `{link}${'x'.repeat(5_000)}` }, 'body'],
  ])('%j is refused for its %s', (template, field) => {
    expect(templateFaults(template, 'other').map(({ at }) => at)).toEqual([field]);
  });

  test('about a card names no payment: nothing has failed', () => {
    const template = { subject: '{merchant}', body: '{link} {until} {amount}' };
    expect(templateFaults(template, 'card_expiring')).toEqual([
      {
        at: 'body',
        text: 'Input should have no {amount} in it: there are {merchant}, {link}, {until}',
      },
    ]);
    expect(templateFaults(template, 'other')).toEqual([]);
  });

  test('gets no line, header or placeholder from a value', () => {
    const template = { subject: '{merchant}', body: '{merchant} {link}' };
    const any = record({ merchant: string(), link: string() });
    const run = property(any, (given) => {
      const { subject } = renderTemplate(template, { ...values, ...given });
      expect(subject).not.toMatch(/[\r\n]/);
    });
    assert(run);
    expect(renderTemplate(template, { ...values, merchant: '{link}' }).subject).toBe('{link}');
  });
});

describe('the template of a customer', () => {
  const own = [{ reason: 'expired_card', language: 'pt', subject: 'Olá', body: '{link}' }] as const;
  const of = (...languages: readonly string[]) =>
    chooseTemplate(own, { reason: 'expired_card', languages });

  test.each([
    [['pt-BR', 'de'], 'pt'],
    [['de-CH', 'pt'], 'de'],
    [['xx'], 'en'],
    [[], 'en'],
  ])('of the languages %j is in %s', (languages, language) => {
    expect(of(...languages).language).toBe(language);
  });

  test("is the merchant's own before ours", () => {
    const english = { reason: 'other', language: 'en', subject: 'Ours', body: '{link}' } as const;
    expect(chooseTemplate([english], { reason: 'other', languages: ['en'] }).subject).toBe('Ours');
  });
});

test.each([
  [{ category: 'fix_data', code: 'expired_card' }, 'new_payment_method', 'expired_card'],
  [{ category: 'fix_data', code: 'x', networkCode: '54' }, 'new_payment_method', 'expired_card'],
  [{ category: 'fix_data', code: 'incorrect_cvc' }, 'new_payment_method', 'card_details'],
  [{ category: 'never', code: 'lost_card' }, 'new_payment_method', 'closed_card'],
  [{ category: 'customer_action', code: 'x' }, 'authentication', 'authentication'],
  [{ category: 'customer_action', code: 'call' }, 'contact_issuer', 'contact_bank'],
  [{ category: 'later', code: 'x', networkCode: '51' }, 'new_payment_method', 'insufficient_funds'],
  [{ category: 'later', code: 'x' }, 'new_payment_method', 'other'],
  [
    { category: 'later', code: 'x', networkCode: 'AM04' },
    'new_payment_method',
    'insufficient_funds',
  ],
  [
    { category: 'fix_data', code: 'x', networkCode: 'R01' },
    'new_payment_method',
    'insufficient_funds',
  ],
  [{ category: 'fix_data', code: 'x', networkCode: 'AC04' }, 'new_payment_method', 'other'],
  [
    { category: 'never', code: 'account_closed', networkCode: 'R02' },
    'new_payment_method',
    'other',
  ],
] as const)('%j, helped by %s, is told as %s', (decline, helps, reason) => {
  expect(messageReason(decline, helps)).toBe(reason);
});
