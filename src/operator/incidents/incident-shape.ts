import { Type } from 'typebox';
import { decimalNumber } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import { psps } from '../../domain/psps.ts';
import { incidentKinds, incidentStates } from '../../domain/states.ts';
import { enumField, timeField } from '../../http/fields.ts';
import type { Incident, IncidentSide } from '../../recovery/incidents/incident-ports.ts';
import { merchantIdField, ourIdField } from '../shapes.ts';

export const incidentPath = Type.Object({ id: ourIdField("The incident's id.") });

const sideShape = Type.Object(
  {
    state: Type.String({ description: 'In the words of that side.' }),
    psp_transaction_id: Type.Optional(Type.String()),
    amount: Type.Optional(Type.Number({ description: 'In major units.' })),
    currency: Type.Optional(Type.String()),
    is_live: Type.Optional(Type.Boolean({ description: 'False: a test charge.' })),
    at: Type.Optional(timeField('When it was sent, made or reported.')),
  },
  { title: 'IncidentSide', description: 'The charge as one of the two records has it.' },
);

export const incidentShape = Type.Object(
  {
    id: Type.String(),
    merchant_id: merchantIdField,
    kind: enumField(incidentKinds, 'What does not fit; docs/states.md explains each.'),
    state: enumField(incidentStates, 'Its invoice is frozen while it is open or refunding.'),
    invoice_id: Type.Optional(Type.String()),
    psp: enumField(psps, 'Whose charge it is.'),
    charge: Type.String({ description: "Recoup's key of the charge, or its id at the processor." }),
    detail: Type.String({ description: 'What is wrong.' }),
    ours: Type.Optional(sideShape),
    theirs: Type.Optional(sideShape),
    refund_id: Type.Optional(Type.String({ description: "The processor's id of the refund." })),
    resolution: Type.Optional(Type.String({ description: 'Who decided it and why.' })),
    opened_at: timeField('When it was found.'),
    resolved_at: Type.Optional(timeField('When it was refunded or dismissed.')),
  },
  {
    title: 'Incident',
    description: 'What contradicts the record, with both records side by side.',
    examples: [
      {
        id: 'inc_8c1k2m3n4p5q6r7s8t9v0w1x',
        merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
        kind: 'contradiction',
        state: 'open',
        invoice_id: 'inv_1042',
        psp: 'adyen',
        charge: 'rcp_fdtnr2bz028bnry3937wcx1054kxd9',
        detail: 'the PSP says succeeded of a charge that is recorded as declined',
        ours: {
          state: 'declined',
          amount: 12.23,
          currency: 'EUR',
          at: '2026-03-02T12:00:00.000Z',
        },
        theirs: {
          state: 'succeeded',
          psp_transaction_id: '8515131751004933',
          amount: 12.23,
          currency: 'EUR',
          at: '2026-03-02T12:07:31.000Z',
        },
        opened_at: '2026-03-02T12:07:31.000Z',
      },
    ],
  },
);

export function incidentJson(incident: Incident): Type.Static<typeof incidentShape> {
  return present({
    id: incident.incidentId,
    merchant_id: incident.merchantId,
    kind: incident.kind,
    state: incident.state,
    invoice_id: incident.invoiceId,
    psp: incident.psp,
    charge: incident.charge,
    detail: incident.detail,
    ours: sideJson(incident.ours),
    theirs: sideJson(incident.theirs),
    refund_id: incident.refundId,
    resolution: incident.resolution,
    opened_at: incident.openedAt.toISOString(),
    resolved_at: incident.resolvedAt?.toISOString(),
  });
}

function sideJson(side: IncidentSide | undefined): Type.Static<typeof sideShape> | undefined {
  if (side === undefined) return undefined;
  const { amountMinor, currency } = side;
  const isMoney = amountMinor !== undefined && currency !== undefined;
  return present({
    state: side.state,
    psp_transaction_id: side.pspTransactionId,
    amount: isMoney ? decimalNumber({ amountMinor, currency }) : undefined,
    currency,
    is_live: side.isLive,
    at: side.at?.toISOString(),
  });
}
