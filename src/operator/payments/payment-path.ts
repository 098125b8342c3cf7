import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { idField } from '../../http/fields.ts';
import { merchantIdField } from '../shapes.ts';

/** Where one payment of a merchant is found. */
export const paymentPath = Type.Object({
  id: merchantIdField,
  invoice_id: idField("The invoice's id in the merchant's subscription platform."),
});
export type PaymentPath = Type.Static<typeof paymentPath>;

export function paymentNotFound(): AppError {
  return new AppError('not_found', 'The merchant has no payment of this invoice.');
}
