import type { PaymentEventBody } from '../../domain/payment-event.ts';
import type { Psp } from '../../domain/psps.ts';

/** The methods of one PSP, in the merchant's order: another PSP's cannot be charged there. */
export function methodsAt(psp: Psp, body: PaymentEventBody): readonly string[] {
  const own = body.transactions.filter((transaction) => transaction.psp === psp);
  return [...new Set(own.map((transaction) => transaction.payment_method_id))];
}
