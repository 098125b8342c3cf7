import type { Planted } from '../planted.ts';

export const lookedUpDeclineIsSuccess: Planted = {
  name: 'looked-up-decline-is-success',
  what: 'a decline that is looked up counts as a success',
  account: (account) => ({
    ...account,
    async lookUp(request) {
      const result = await account.lookUp(request);
      if (result.kind !== 'declined') return result;
      return { kind: 'succeeded', pspTransactionId: result.pspTransactionId ?? 'unnamed' };
    },
  }),
};
