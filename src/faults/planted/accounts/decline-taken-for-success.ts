import type { Planted } from '../planted.ts';

export const declineTakenForSuccess: Planted = {
  name: 'decline-taken-for-success',
  what: 'a decline is recorded as a success',
  account: (account) => ({
    ...account,
    async charge(request) {
      const result = await account.charge(request);
      const { idempotencyKey } = request;
      if (result.kind !== 'declined') return result;
      return { kind: 'succeeded', pspTransactionId: result.pspTransactionId ?? idempotencyKey };
    },
  }),
};
