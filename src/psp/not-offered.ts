import type { PspGateway } from '../recovery/psp-ports.ts';

/** For the gateway of a processor that offers none of these through Recoup. */
export const notOffered: Pick<PspGateway, 'findInvoice' | 'refund' | 'listCharges' | 'readReport'> =
  {
    findInvoice: async () => ({ kind: 'none' }),
    refund: async () => ({
      kind: 'refused',
      reason: "Recoup makes no refunds at this PSP: make it in the PSP's dashboard.",
    }),
    listCharges: async () => ({ kind: 'unsupported' }),
    readReport: () => ({ kind: 'unsupported' }),
  };
