import { inStatement, type Planted } from '../planted.ts';

export const deliveriesNotSent: Planted = {
  name: 'deliveries-not-sent',
  what: 'an event that was not taken when it was sent at once is never sent again',
  ...inStatement('claim_due_deliveries', 'where d.merchant_id', 'where false and d.merchant_id'),
};
