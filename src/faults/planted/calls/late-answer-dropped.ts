import type { Planted } from '../planted.ts';

export const lateAnswerDropped: Planted = {
  name: 'late-answer-dropped',
  what: 'M7: an answer that comes after its lease is thrown away',
  engine: () => ({
    answers: { find: async () => undefined, record: async () => 'recorded' },
  }),
};
