import { Type } from 'typebox';
import { updateReasons } from '../../domain/payment-event.ts';
import { idField, wordField } from '../fields.ts';

/** The body of POST /recover/payment_method_updates. */
export const paymentMethodUpdateSchema = Type.Object(
  {
    customer_id: Type.Optional(
      idField(
        "The customer's id in your subscription platform. Required unless psp_customer_id is given.",
      ),
    ),
    psp_customer_id: Type.Optional(
      idField("The customer's id at the PSP. Enough where customer_id is not known."),
    ),
    payment_method_id: idField("The PSP's id of the payment method."),
    reason: Type.Optional(wordField(updateReasons, 'What led to the update.')),
  },
  { description: 'One payment method that was added, removed or updated.' },
);
