import type { RetryStatusAnswer } from '../../../recovery/merchant-ports.ts';
import type { Planted } from '../planted.ts';

export const anOldYes: Planted = {
  name: 'an-old-yes',
  what: 'the first yes of a merchant serves for every later charge',
  client(client) {
    const kept = new Map<string, RetryStatusAnswer>();
    return {
      ...client,
      async askRetryStatus(request) {
        const name = `${request.merchant.merchantId} ${request.invoiceId}`;
        const answer = kept.get(name) ?? (await client.askRetryStatus(request));
        if (answer.kind === 'retry') kept.set(name, answer);
        return answer;
      },
    };
  },
};
