import { present } from '../../domain/present.ts';
import type { EngineDeps } from '../engine/deps.ts';
import type { OpenAttempt, PaymentContext } from '../engine-ports.ts';

/** `payment` as it stands after the question; `postpone`: the PSP could not say. */
export type AskedForInvoice =
  | { readonly kind: 'goes_on'; readonly payment: PaymentContext }
  | { readonly kind: 'postpone'; readonly reason: string }
  | { readonly kind: 'lease_lost' };

/**
 * Asks a PSP that keeps invoices, once and before the first charge, which of them a failed charge
 * belongs to. Reported without its invoice, a debt may live there all the same: charged beside its
 * invoice, it would be paid twice.
 */
export async function askForInvoice(
  deps: Pick<EngineDeps, 'clock' | 'payments' | 'findGateway' | 'debts' | 'log'>,
  input: { readonly payment: PaymentContext; readonly attempt: OpenAttempt },
): Promise<AskedForInvoice> {
  const { payment, attempt } = input;
  const goesOn = { kind: 'goes_on', payment } as const;
  if (payment.pspInvoiceState !== 'unasked' || attempt.transactions.length > 0) return goesOn;
  const gateway = await deps.findGateway(payment);
  if (gateway === undefined || !gateway.capabilities.holdsInvoices) return goesOn;
  const { merchantId, invoiceId, psp, originalPspTransactionId: pspTransactionId } = payment;
  const found = await gateway.findInvoice({ pspTransactionId });
  switch (found.kind) {
    case 'unknown':
      deps.log.warn(
        { merchantId, invoiceId, psp, reason: found.reason },
        'the PSP did not say whether the debt has an invoice there; the attempt is postponed',
      );
      return { kind: 'postpone', reason: found.reason };
    case 'none':
      await deps.debts.noteNoPspInvoice(payment);
      return goesOn;
    case 'found':
      return learn(deps, payment, found.pspInvoiceId);
  }
}

async function learn(
  deps: Pick<EngineDeps, 'clock' | 'payments' | 'debts' | 'log'>,
  payment: PaymentContext,
  pspInvoiceId: string,
): Promise<AskedForInvoice> {
  const { merchantId, invoiceId, fence, psp } = payment;
  const at = deps.clock.now();
  const ended = await deps.debts.learnPspInvoice({
    merchantId,
    invoiceId,
    fence,
    psp,
    pspInvoiceId,
    at,
  });
  deps.log.info(
    { merchantId, invoiceId, psp, pspInvoiceId },
    "the debt's invoice lives at its PSP",
  );
  const fresh = await deps.payments.load(payment);
  if (fresh === undefined || fresh.fence !== fence) return { kind: 'lease_lost' };
  const stop = ended && {
    stopReason: ended.reason,
    ...present({ stopDetail: ended.detail }),
  };
  return { kind: 'goes_on', payment: { ...stop, ...fresh } };
}
