import { normaliseDecline } from '../../../domain/declines/normalise-decline.ts';
import type { Planted } from '../planted.ts';

export const successTakenForDecline: Planted = {
  name: 'success-taken-for-decline',
  what: 'a success is recorded as a decline',
  account: (account) => ({
    ...account,
    async charge(request) {
      const result = await account.charge(request);
      if (result.kind !== 'succeeded') return result;
      const { pspTransactionId } = result;
      const decline = normaliseDecline({ psp: account.capabilities.psp, pspCode: 'unknown' });
      return { kind: 'declined', pspTransactionId, decline };
    },
  }),
};
