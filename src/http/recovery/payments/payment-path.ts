import { Type } from 'typebox';
import { messageDocs } from '../message-docs.ts';

export const paymentPath = Type.Object({
  invoice_id: Type.String({ description: "The invoice's id in your system, percent-encoded." }),
});

export const paymentNotFoundDocs = messageDocs(
  'No failed payment of this invoice was reported.',
  'Payment not found.',
);
