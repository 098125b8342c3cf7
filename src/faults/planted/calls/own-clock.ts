import { hourMs, minuteMs } from '../../../domain/clock.ts';
import { goodManners } from '../../world/simulated-merchant.ts';
import type { Planted } from '../planted.ts';

export const ownClock: Planted = {
  name: 'own-clock',
  what: 'M6: leases and due times go by the clock of the process, which nobody watches',
  // Each process takes the others' leases for over, or for hours longer than they are, while charges are on their way.
  change: (swarm) => ({
    ...swarm,
    workers: 3,
    http: { ...swarm.http, late: 0.3, answerLost: 0.3, slowMs: 4_000 },
    processes: { ...swarm.processes, held: 0.05, maxHeldMs: 20 * minuteMs },
    manners: [goodManners, goodManners],
    clocks: { ...swarm.clocks, maxOffsetMs: 2 * hourMs, jumps: 0.02 },
  }),
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
