import type { CustomerContact, CustomerOutcome } from '../../domain/customers/customer-contact.ts';
import { present } from '../../domain/present.ts';
import type { TimelineEntry } from './payment-story.ts';

const outcomeWords: Readonly<Record<CustomerOutcome, string>> = {
  payment_method_added: 'the customer added a payment method',
  payment_method_updated: 'the customer fixed their payment method',
  authenticated: 'the customer authenticated the payment',
  issuer_contacted: 'the customer talked to their bank',
  refused: 'the customer will not pay',
};

/** What the customer was told, and what they did. */
export function contactEntry(contact: CustomerContact): TimelineEntry {
  const { kind, at, outcome, messageId } = contact;
  return {
    at,
    kind: 'customer',
    actor: kind === 'message_sent' || kind === 'message_bounced' ? 'recoup' : 'customer',
    message: messageOf(contact),
    facts: present({ kind, outcome, message_id: messageId }),
  };
}

function messageOf({ kind, outcome }: CustomerContact): string {
  switch (kind) {
    case 'message_sent':
      return 'a message was sent to the customer';
    case 'message_bounced':
      return 'a message to the customer came back';
    case 'stopped':
      return 'the customer wants no more messages';
    case 'visited':
      return "the customer opened the merchant's page";
    case 'outcome':
      return outcome === undefined ? 'the customer acted' : outcomeWords[outcome];
  }
}
