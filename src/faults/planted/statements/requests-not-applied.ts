import { inStatement, type Planted } from '../planted.ts';

export const requestsNotApplied: Planted = {
  name: 'requests-not-applied',
  what: 'requests are never applied',
  ...inStatement('claim_due_requests', 'where r.merchant_id', 'where false and r.merchant_id'),
};
