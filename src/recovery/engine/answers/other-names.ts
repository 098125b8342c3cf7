import { present } from '../../../domain/present.ts';
import type { OpenTransaction, PaymentContext } from '../../engine-ports.ts';
import type { LookUpResult, PspGateway } from '../../psp-ports.ts';
import { chargeKey } from '../charge-key.ts';
import type { EngineDeps } from '../deps.ts';

/**
 * What became of a try of this method that no record here has, made under another name of the debt. Keys go by
 * the name that a debt's recovery had: what two recoveries made before a backup was restored was made under keys
 * of both, and after it they may be joined under the other one of them.
 */
export async function lookUnderOtherNames(
  deps: Pick<EngineDeps, 'payments'>,
  input: {
    readonly gateway: PspGateway;
    readonly payment: PaymentContext;
    readonly transaction: OpenTransaction;
  },
): Promise<LookUpResult> {
  const { gateway, payment, transaction } = input;
  const { merchantId, maxAttempts } = payment;
  const { paymentMethodId, amountMinor, currency } = transaction;
  const { invoiceIds, recorded } = await deps.payments.findOtherNames(payment);
  for (const invoiceId of invoiceIds) {
    for (let number = 1; number <= maxAttempts; number += 1) {
      const idempotencyKey = chargeKey({ merchantId, invoiceId, paymentMethodId, number });
      if (recorded.has(idempotencyKey)) continue;
      const result = await gateway.lookUp({
        merchantId,
        invoiceId,
        idempotencyKey,
        amountMinor,
        currency,
        paymentMethodId,
        sentAt: payment.failedAt,
        ...present({ pspCustomerId: payment.pspCustomerId, pspInvoiceId: payment.pspInvoiceId }),
      });
      if (result.kind === 'not_found') break;
      if (!isRecorded(result, recorded)) return result;
    }
  }
  return { kind: 'not_found' };
}

/** Found before, it stands under a key of the name that the debt has now. */
function isRecorded(result: LookUpResult, recorded: ReadonlySet<string>): boolean {
  const id = 'pspTransactionId' in result ? result.pspTransactionId : undefined;
  return id !== undefined && recorded.has(id);
}
