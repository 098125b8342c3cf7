import type { Planted } from '../planted.ts';

export const impatient: Planted = {
  name: 'impatient',
  what: 'a charge without an answer is sent again at once under another key',
  account: (account) => ({
    ...account,
    async charge(request) {
      const result = await account.charge(request);
      if (result.kind !== 'unknown') return result;
      return account.charge({ ...request, idempotencyKey: `${request.idempotencyKey}_2` });
    },
  }),
};
