import type { MessageReasonJson } from '../../../api/generated/messages.ts';

/** Why a customer is written to, in words. */
export const reasonWords: Readonly<Record<MessageReasonJson, string>> = {
  expired_card: 'Expired card',
  closed_card: 'Card closed or lost',
  card_details: 'Card details',
  authentication: 'Authentication',
  contact_bank: 'Ask the bank',
  insufficient_funds: 'Insufficient funds',
  other: 'Other',
  card_expiring: 'Card expires soon',
};
