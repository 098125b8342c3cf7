import { normaliseDecline } from '../../../domain/declines/normalise-decline.ts';
import type { Planted } from '../planted.ts';

export const lostAnswerIsADecline: Planted = {
  name: 'lost-answer-is-a-decline',
  what: 'a charge whose answer was lost counts as declined',
  account: (account) => ({
    ...account,
    async charge(request) {
      const result = await account.charge(request);
      if (result.kind !== 'unknown') return result;
      const decline = normaliseDecline({ psp: account.capabilities.psp, pspCode: 'unknown' });
      return { kind: 'declined', decline };
    },
  }),
};
