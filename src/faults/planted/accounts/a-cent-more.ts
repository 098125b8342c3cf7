import type { Planted } from '../planted.ts';

export const aCentMore: Planted = {
  name: 'a-cent-more',
  what: 'a cent more than the merchant allowed is charged',
  account: (account) => ({
    ...account,
    charge(request) {
      return account.charge({ ...request, amountMinor: request.amountMinor + 1 });
    },
  }),
};
