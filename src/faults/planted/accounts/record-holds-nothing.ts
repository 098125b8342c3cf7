import type { Planted } from '../planted.ts';

export const recordHoldsNothing: Planted = {
  name: 'record-holds-nothing',
  what: 'a look-up always says that the PSP never got the charge',
  account: (account) => ({
    ...account,
    lookUp: async () => ({ kind: 'not_found' }),
  }),
};
