/** What became of a customer's visit, as the merchant's server tells it. */
export const customerOutcomes = [
  'payment_method_added',
  'payment_method_updated',
  'authenticated',
  'issuer_contacted',
  'refused',
] as const;
export type CustomerOutcome = (typeof customerOutcomes)[number];

/** What a customer was told of a payment, and what they did. */
export const contactKinds = [
  'message_sent',
  'message_bounced',
  'stopped',
  'visited',
  'outcome',
] as const;
export type ContactKind = (typeof contactKinds)[number];

export interface CustomerContact {
  readonly kind: ContactKind;
  readonly at: Date;
  /** Of an outcome. */
  readonly outcome?: CustomerOutcome;
  /** The message that was sent, or that came back. */
  readonly messageId?: string;
}
