import { goodManners } from '../../world/simulated-merchant.ts';
import type { Planted } from '../planted.ts';

export const lateAnswerDropped: Planted = {
  name: 'late-answer-dropped',
  what: 'M7: an answer that comes after its lease, or that a restored backup lacks, is thrown away',
  change: (swarm) => ({
    ...swarm,
    isRestored: true,
    accountsReplaced: 0,
    manners: [goodManners, goodManners],
  }),
  engine: () => ({
    answers: { find: async () => undefined, record: async () => 'recorded' },
  }),
};
