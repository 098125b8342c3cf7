import { inStatement, type Planted } from '../planted.ts';

export const lostChargeNotAsked: Planted = {
  name: 'lost-charge-not-asked',
  what: 'an unknown charge is never looked up',
  ...inStatement('claim_unknown_charges', 'where t.merchant_id', 'where false and t.merchant_id'),
};
