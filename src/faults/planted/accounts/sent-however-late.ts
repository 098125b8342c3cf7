import type { Planted } from '../planted.ts';

export const sentHoweverLate: Planted = {
  name: 'sent-however-late',
  what: 'a charge is written to the socket however late its worker is',
  account: (account) => ({
    ...account,
    charge({ sendBy: _, ...request }) {
      return account.charge(request);
    },
  }),
};
