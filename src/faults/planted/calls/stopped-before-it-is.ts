import type { Planted } from '../planted.ts';

export const stoppedBeforeItIs: Planted = {
  name: 'stopped-before-it-is',
  what: 'a stop is acknowledged before the charge under way has ended',
  change: (swarm) => ({ ...swarm, stopsWhenAsked: 1 }),
  recovery: (recovery) => ({
    ...recovery,
    async stopPayment(input) {
      recovery.stopPayment(input).catch(() => undefined);
      return { kind: 'stopped' };
    },
  }),
};
