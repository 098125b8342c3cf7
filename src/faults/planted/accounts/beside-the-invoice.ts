import type { Planted } from '../planted.ts';

export const besideTheInvoice: Planted = {
  name: 'beside-the-invoice',
  what: 'M1: an invoice that lives at the PSP is charged beside itself',
  account: (account) => ({
    ...account,
    charge({ pspInvoiceId: _, ...request }) {
      return account.charge(request);
    },
  }),
};
