import { minuteMs } from '../../../domain/clock.ts';
import type { Planted } from '../planted.ts';

export const sentHoweverLate: Planted = {
  name: 'sent-however-late',
  what: 'a charge is written to the socket however late its worker is',
  change: (swarm) => ({
    ...swarm,
    processes: { killed: 0, held: 0.15, suspended: 0.1, maxHeldMs: 20 * minuteMs },
  }),
  account: (account) => ({
    ...account,
    charge({ sendBy: _, ...request }) {
      return account.charge(request);
    },
  }),
};
