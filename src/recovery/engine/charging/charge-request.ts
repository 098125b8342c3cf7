import { present } from '../../../domain/present.ts';
import type { OpenTransaction, PaymentContext } from '../../engine-ports.ts';
import type { ChargeRequest } from '../../psp-ports.ts';
import type { ChargeMethod } from '../methods-to-charge.ts';
import type { Yes } from './charging.ts';

/** The charge of one method under the merchant's yes. */
export function chargeRequest(
  input: { readonly payment: PaymentContext; readonly check: Yes },
  method: ChargeMethod,
  transaction: OpenTransaction & { readonly sendBy: Date },
): ChargeRequest {
  const { payment, check } = input;
  return {
    merchantId: payment.merchantId,
    invoiceId: payment.invoiceId,
    idempotencyKey: transaction.idempotencyKey,
    amountMinor: transaction.amountMinor,
    currency: transaction.currency,
    sendBy: transaction.sendBy,
    ...method,
    ...present({
      pspCustomerId: payment.pspCustomerId,
      pspInvoiceId: payment.pspInvoiceId,
      metadata: check.metadata,
    }),
  };
}
