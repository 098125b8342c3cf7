import type { Planted } from '../planted.ts';

export const ownClock: Planted = {
  name: 'own-clock',
  what: 'M6: leases and due times go by the clock of the process, which nobody watches',
  context: (context) => ({
    ...context,
    clock: context.machine,
    engineTime: {
      ...context.engineTime,
      now: () => context.machine.now(),
      epoch: () => 0,
      heldBack: () => undefined,
    },
  }),
};
