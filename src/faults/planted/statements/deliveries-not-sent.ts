import { inStatement, type Planted } from '../planted.ts';

export const deliveriesNotSent: Planted = {
  name: 'deliveries-not-sent',
  what: 'events are never sent',
  ...inStatement('claim_due_deliveries', 'where d.merchant_id', 'where false and d.merchant_id'),
};
