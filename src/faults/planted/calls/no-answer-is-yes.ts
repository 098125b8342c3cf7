import type { Planted } from '../planted.ts';

export const noAnswerIsYes: Planted = {
  name: 'no-answer-is-yes',
  what: 'a merchant that gives no answer is taken to allow the charge',
  client: (client) => ({
    ...client,
    async askRetryStatus(request) {
      const answer = await client.askRetryStatus(request);
      return answer.kind === 'no_answer' ? { kind: 'retry', reason: answer.detail } : answer;
    },
  }),
};
