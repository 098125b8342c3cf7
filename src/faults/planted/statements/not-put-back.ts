import { inStatement, type Planted } from '../planted.ts';

export const notPutBack: Planted = {
  name: 'not-put-back',
  what: 'a packed payment is changed where it is, instead of being put back first',
  ...inStatement('lock_archived_payment', 'where ', 'where false and '),
};
