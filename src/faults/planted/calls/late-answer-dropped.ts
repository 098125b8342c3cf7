import { minuteMs } from '../../../domain/clock.ts';
import { goodManners } from '../../world/simulated-merchant.ts';
import type { Planted } from '../planted.ts';

export const lateAnswerDropped: Planted = {
  name: 'late-answer-dropped',
  what: 'M7: an answer that comes after its lease is thrown away',
  // A worker is held up while its charge is answered, and whoever takes over cannot look it up.
  change: (swarm) => ({
    ...swarm,
    workers: 3,
    http: { ...swarm.http, errorBefore: 0.4 },
    processes: { ...swarm.processes, held: 0.15, maxHeldMs: 20 * minuteMs },
    manners: [goodManners, goodManners],
  }),
  engine: () => ({
    answers: { find: async () => undefined, record: async () => 'recorded' },
  }),
};
