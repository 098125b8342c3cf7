import { present } from '../../domain/present.ts';
import type { EngineDeps } from '../engine/deps.ts';
import type { OpenAttempt, PaymentContext } from '../engine-ports.ts';
import type { FoundInvoice, PspGateway } from '../psp-ports.ts';

/** `payment` as it stands after the question; `postpone`: the PSP could not say. */
export type AskedForInvoice =
  | { readonly kind: 'goes_on'; readonly payment: PaymentContext }
  | { readonly kind: 'postpone'; readonly reason: string }
  | { readonly kind: 'lease_lost' };

/**
 * Asks a PSP that keeps invoices, once and before the first charge, which of them a failed charge
 * belongs to. Reported without its invoice, a debt may live there all the same: charged beside its
 * invoice, it would be paid twice. That holds for an account as well that another has replaced.
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
  const here = await gateway.findInvoice({ pspTransactionId });
  const found = here.kind === 'not_known' ? await askEarlier(deps, payment, gateway) : here;
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

/**
 * Asks the accounts that were connected before, the last one first: the failed charge may be of one of
 * them, whose invoice goes on being tried there. One whose credentials are destroyed can tell nothing,
 * so nothing is charged beside it.
 */
async function askEarlier(
  deps: Pick<EngineDeps, 'findGateway'>,
  { merchantId, psp, originalPspTransactionId: pspTransactionId }: PaymentContext,
  { connection }: PspGateway,
): Promise<Exclude<FoundInvoice, { kind: 'not_known' }>> {
  let isOneGone = false;
  for (let version = (connection?.version ?? 1) - 1; version > 0; version -= 1) {
    const earlier = await deps.findGateway({ merchantId, psp, version });
    if (earlier === undefined) isOneGone = true;
    const found = await earlier?.findInvoice({ pspTransactionId });
    if (found !== undefined && found.kind !== 'not_known') return found;
  }
  return isOneGone ? { kind: 'unknown', reason: notToBeAsked } : { kind: 'none' };
}

const notToBeAsked =
  'The connected account does not know the failed charge, and one that was connected before can no ' +
  'longer be asked. Report the debt under the id of its invoice at the PSP, or stop it.';

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
