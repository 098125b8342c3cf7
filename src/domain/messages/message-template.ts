import type { Decline } from '../declines/decline.ts';
import { messageLimits } from './message-settings.ts';

/** Why a customer is written to, as far as the decline says: each has texts of its own. */
export const messageReasons = [
  'expired_card',
  'closed_card',
  'card_details',
  'authentication',
  'contact_bank',
  'insufficient_funds',
  'other',
] as const;
export type MessageReason = (typeof messageReasons)[number];

export interface MessageTemplate {
  readonly subject: string;
  readonly body: string;
}

/** What stands for something of the payment. */
export const placeholders = ['merchant', 'amount', 'invoice_id', 'link', 'until'] as const;
export type MessageValues = Readonly<Record<(typeof placeholders)[number], string>>;

/** The reason of a decline; `helps` is what would help against it. */
export function messageReason(
  { category, code, networkCode }: Pick<Decline, 'category' | 'code' | 'networkCode'>,
  helps: 'new_payment_method' | 'authentication' | 'contact_issuer',
): MessageReason {
  if (networkCode === '54' || /expired/i.test(code)) return 'expired_card';
  if (helps === 'authentication') return 'authentication';
  if (category === 'never') return 'closed_card';
  if (category === 'fix_data') return 'card_details';
  if (networkCode === '51' || /insufficient/i.test(code)) return 'insufficient_funds';
  return helps === 'contact_issuer' ? 'contact_bank' : 'other';
}

const inBraces = /\{([^{}]*)\}/g;

/** What is wrong with a template, by field; nothing where it may be kept. */
export function templateFaults(
  template: MessageTemplate,
): readonly { readonly at: keyof MessageTemplate; readonly text: string }[] {
  const { subject, body } = template;
  const faults = [
    ...unknownIn(subject).map((name) => ({ at: 'subject', text: unknown(name) }) as const),
    ...unknownIn(body).map((name) => ({ at: 'body', text: unknown(name) }) as const),
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

function unknownIn(text: string): readonly string[] {
  const known: readonly string[] = placeholders;
  return [...text.matchAll(inBraces)]
    .map(([, name]) => name ?? '')
    .filter((name) => !known.includes(name));
}

function unknown(name: string): string {
  return `Input should have no {${name}} in it: there are ${placeholders.map((each) => `{${each}}`).join(', ')}`;
}

/** A template with what it is about. No value adds a line, a header or another placeholder. */
export function renderTemplate(template: MessageTemplate, values: MessageValues): MessageTemplate {
  const filled = (text: string): string =>
    text.replaceAll(inBraces, (_, name: keyof MessageValues) =>
      (values[name] ?? '').replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
    );
  return { subject: filled(template.subject), body: filled(template.body) };
}
