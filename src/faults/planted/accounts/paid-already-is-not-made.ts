import type { Planted } from '../planted.ts';

export const paidAlreadyIsNotMade: Planted = {
  name: 'paid-already-is-not-made',
  what: 'M4: an invoice that is paid already is tried again and again',
  account: (account) => ({
    ...account,
    async charge(request) {
      const result = await account.charge(request);
      const isPaid = result.kind === 'paid_elsewhere' || result.kind === 'succeeded';
      return isPaid && request.pspInvoiceId !== undefined
        ? { kind: 'not_made', reason: 'already paid' }
        : result;
    },
  }),
};
