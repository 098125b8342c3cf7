import type { Planted } from '../planted.ts';

export const methodsNotHeard: Planted = {
  name: 'methods-not-heard',
  what: 'the methods that a merchant names are not heard',
  client: (client) => ({
    ...client,
    async askRetryStatus(request) {
      const answer = await client.askRetryStatus(request);
      if (answer.kind !== 'retry') return answer;
      const { paymentMethods: _, ...rest } = answer;
      return rest;
    },
  }),
};
