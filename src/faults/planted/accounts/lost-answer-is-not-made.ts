import type { Planted } from '../planted.ts';

export const lostAnswerIsNotMade: Planted = {
  name: 'lost-answer-is-not-made',
  what: 'a charge whose answer was lost counts as never made, and is made again',
  account: (account) => ({
    ...account,
    async charge(request) {
      const result = await account.charge(request);
      return result.kind === 'unknown' ? { ...result, kind: 'not_made' } : result;
    },
  }),
};
