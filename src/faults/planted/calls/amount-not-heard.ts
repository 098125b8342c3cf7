import type { Planted } from '../planted.ts';

export const amountNotHeard: Planted = {
  name: 'amount-not-heard',
  what: 'the amount that a merchant names is not heard',
  client: (client) => ({
    ...client,
    async askRetryStatus(request) {
      const answer = await client.askRetryStatus(request);
      if (answer.kind !== 'retry') return answer;
      const { amount: _, ...rest } = answer;
      return rest;
    },
  }),
};
