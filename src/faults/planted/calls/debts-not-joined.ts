import type { Planted } from '../planted.ts';

export const debtsNotJoined: Planted = {
  name: 'debts-not-joined',
  what: 'M5: an invoice that the PSP names is not known for the one that is recovered',
  change: (swarm) => ({ ...swarm, twoChannels: 1, livesAtPsp: 1, accountsReplaced: 0 }),
  engine: () => ({
    debts: { learnPspInvoice: async () => undefined, noteNoPspInvoice: async () => undefined },
  }),
};
