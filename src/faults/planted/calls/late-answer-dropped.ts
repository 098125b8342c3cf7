import { minuteMs } from '../../../domain/clock.ts';
import { goodManners } from '../../world/simulated-merchant.ts';
import type { Planted } from '../planted.ts';

export const lateAnswerDropped: Planted = {
  name: 'late-answer-dropped',
  what: 'M7: an answer that a worker gets after it lost its lease is thrown away',
  // A worker is held up while its charge is answered, and whoever takes over cannot look it up yet.
  change: (swarm) => ({
    ...swarm,
    workers: 3,
    http: { ...swarm.http, errorBefore: 0.4 },
    processes: { ...swarm.processes, held: 0.15, maxHeldMs: 20 * minuteMs },
    manners: [goodManners, goodManners],
  }),
  engine({ payments, answers }) {
    const dropped = new Set<string>();
    return {
      payments: {
        ...payments,
        async record(outcome) {
          const recorded = await payments.record(outcome);
          const isOwn = recorded === 'lease_lost' && outcome.takeOver !== true;
          if (isOwn && outcome.transaction !== undefined) dropped.add(outcome.merchantId);
          return recorded;
        },
      },
      answers: {
        ...answers,
        find: async (input) => (dropped.delete(input.merchantId) ? undefined : answers.find(input)),
      },
    };
  },
};
