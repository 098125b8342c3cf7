import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { psps } from '../../domain/psps.ts';
import { enumField, timeField } from '../../http/fields.ts';
import { type PspEventView, pspEventOutcomes } from '../../recovery/psp-event-ports.ts';
import { pspEventKinds } from '../../recovery/psp-ports.ts';

export const pspEventShape = Type.Object(
  {
    psp: enumField(psps, 'Whose event it is.'),
    event_id: Type.String({ description: "The PSP's own id of it." }),
    type: Type.String({ description: "The PSP's name of the event." }),
    kind: enumField(pspEventKinds, 'What it means to Recoup.'),
    outcome: enumField(pspEventOutcomes, 'What Recoup made of it; see docs/psp-webhooks.md.'),
    invoice_id: Type.Optional(Type.String()),
    psp_transaction_id: Type.Optional(Type.String()),
    occurred_at: timeField('When it happened at the PSP.'),
    received_at: timeField('When it came.'),
  },
  {
    examples: [
      {
        psp: 'stripe',
        event_id: 'evt_1PqX2eLkdIwHu7ix',
        type: 'invoice.payment_failed',
        kind: 'billing_attempt',
        outcome: 'accepted',
        invoice_id: 'in_20931',
        occurred_at: '2026-03-01T09:30:00.000Z',
        received_at: '2026-03-01T09:30:01.250Z',
      },
    ],
  },
);

export function pspEventJson(event: PspEventView): Type.Static<typeof pspEventShape> {
  return present({
    psp: event.psp,
    event_id: event.eventId,
    type: event.type,
    kind: event.kind,
    outcome: event.outcome,
    invoice_id: event.invoiceId,
    psp_transaction_id: event.pspTransactionId,
    occurred_at: event.occurredAt.toISOString(),
    received_at: event.receivedAt.toISOString(),
  });
}
