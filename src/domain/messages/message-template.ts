import type { Decline } from '../declines/decline.ts';
import { debitFundsReasons, isDebitReason } from '../network-rules/debit-reason.ts';
import { messageLimits } from './message-settings.ts';

/** Why a customer is written to about a payment, as far as the decline says: each has texts of its own. */
export const declineReasons = [
  'expired_card',
  'closed_card',
  'card_details',
  'authentication',
  'contact_bank',
  'insufficient_funds',
  'other',
] as const;
export type DeclineReason = (typeof declineReasons)[number];

/** The same, and of no payment: a card that ends before its subscription is billed again. */
export const messageReasons = [...declineReasons, 'card_expiring'] as const;
export type MessageReason = (typeof messageReasons)[number];

export interface MessageTemplate {
  readonly subject: string;
  readonly body: string;
}

/** What stands for something of the payment. There is none in a message about a card. */
export const placeholders = ['merchant', 'amount', 'invoice_id', 'link', 'until'] as const;
export type Placeholder = (typeof placeholders)[number];
export type MessageValues = Readonly<Partial<Record<Placeholder, string>>>;

function placeholdersOf(reason: MessageReason): readonly Placeholder[] {
  if (reason !== 'card_expiring') return placeholders;
  return placeholders.filter((name) => name !== 'amount' && name !== 'invoice_id');
}

/** The reason of a decline; `helps` is what would help against it. */
export function messageReason(
  { category, code, networkCode }: Pick<Decline, 'category' | 'code' | 'networkCode'>,
  helps: 'new_payment_method' | 'authentication' | 'contact_issuer',
): DeclineReason {
  if (networkCode === '54' || /expired/i.test(code)) return 'expired_card';
  if (helps === 'authentication') return 'authentication';
  // What the other reasons say of a card would be wrong of a bank account.
  if (networkCode !== undefined && isDebitReason(networkCode)) {
    return debitFundsReasons.includes(networkCode) ? 'insufficient_funds' : 'other';
  }
  if (category === 'never') return 'closed_card';
  if (category === 'fix_data') return 'card_details';
  if (networkCode === '51' || /insufficient/i.test(code)) return 'insufficient_funds';
  return helps === 'contact_issuer' ? 'contact_bank' : 'other';
}

const inBraces = /\{([^{}]*)\}/g;

/** What is wrong with a template, by field; nothing where it may be kept. */
export function templateFaults(
  template: MessageTemplate,
  reason: MessageReason,
): readonly { readonly at: keyof MessageTemplate; readonly text: string }[] {
  const { subject, body } = template;
  const known: readonly string[] = placeholdersOf(reason);
  const faults = [
    ...unknownIn(subject, known).map(
      (name) => ({ at: 'subject', text: unknown(name, known) }) as const,
    ),
    ...unknownIn(body, known).map((name) => ({ at: 'body', text: unknown(name, known) }) as const),
  ];
  const tooLong = 'Input should be shorter';
  return [
    ...faults,
    ...(subject.length > messageLimits.subject
      ? ([{ at: 'subject', text: tooLong }] as const)
      : []),
    ...(body.length > messageLimits.body ? ([{ at: 'body', text: tooLong }] as const) : []),
    ...(/\p{Cc}/u.test(subject) || subject.trim() === ''
      ? ([{ at: 'subject', text: 'Input should be one line of text' }] as const)
      : []),
    ...(subject.includes('{link}')
      ? ([{ at: 'subject', text: 'Input should have {link} in the body alone' }] as const)
      : []),
    ...(body.includes('{link}')
      ? []
      : ([
          { at: 'body', text: 'Input should have {link} in it: there the customer acts' },
        ] as const)),
  ];
}

function unknownIn(text: string, known: readonly string[]): readonly string[] {
  return [...text.matchAll(inBraces)]
    .map(([, name]) => name ?? '')
    .filter((name) => !known.includes(name));
}

function unknown(name: string, known: readonly string[]): string {
  return `Input should have no {${name}} in it: there are ${known.map((each) => `{${each}}`).join(', ')}`;
}

/** A template with what it is about. No value adds a line, a header or another placeholder. */
export function renderTemplate(template: MessageTemplate, values: MessageValues): MessageTemplate {
  const filled = (text: string): string =>
    text.replaceAll(inBraces, (_, name: Placeholder) =>
      (values[name] ?? '').replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
    );
  return { subject: filled(template.subject), body: filled(template.body) };
}
