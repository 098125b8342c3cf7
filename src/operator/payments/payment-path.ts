import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { idField } from '../../http/fields.ts';
import type { InvoiceOf } from '../../recovery/api.ts';
import type { Queryable } from '../../store/database.ts';
import { ofDebt } from '../../store/debts/find-debt.ts';
import { merchantIdField } from '../shapes.ts';

/** Where one payment of a merchant is found. */
export const paymentPath = Type.Object({
  id: merchantIdField,
  invoice_id: idField("The invoice's id in the merchant's subscription platform."),
});
export type PaymentPath = Type.Static<typeof paymentPath>;

/** The payment's own key: each id under which its debt was reported names it. @throws AppError not_found */
export async function keyOf(db: Queryable, path: PaymentPath): Promise<InvoiceOf> {
  const { id: merchantId, invoice_id: invoiceId } = path;
  return ofDebt(db, { merchantId, invoiceId });
}

export function paymentNotFound(): AppError {
  return new AppError('not_found', 'The merchant has no payment for this invoice.');
}
