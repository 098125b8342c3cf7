import type { Planted } from '../planted.ts';

export const noIsYes: Planted = {
  name: 'no-is-yes',
  what: 'a merchant that says no is charged all the same',
  client: (client) => ({
    ...client,
    async askRetryStatus(request) {
      const answer = await client.askRetryStatus(request);
      return answer.kind === 'do_not_retry' ? { kind: 'retry', reason: answer.reason } : answer;
    },
  }),
};
