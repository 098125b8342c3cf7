import { Type } from 'typebox';
import {
  type CustomerContact,
  contactKinds,
  customerOutcomes,
} from '../../domain/customers/customer-contact.ts';
import { present } from '../../domain/present.ts';
import { enumField, timeField } from '../fields.ts';

/** What a customer was told of a payment, or did. */
export const contactShape = Type.Object(
  {
    at: timeField('When.'),
    kind: enumField(contactKinds, 'What it was.'),
    outcome: Type.Optional(enumField(customerOutcomes, 'What the customer did.')),
    message_id: Type.Optional(Type.String({ description: 'Which message.' })),
  },
  { title: 'CustomerContact', examples: [{ at: '2026-06-05T09:30:00.000Z', kind: 'visited' }] },
);

export function contactJson(contact: CustomerContact): Type.Static<typeof contactShape> {
  const { at, kind, outcome, messageId } = contact;
  return present({ at: at.toISOString(), kind, outcome, message_id: messageId });
}
