import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { enumField, idField, timeField } from '../../http/fields.ts';
import {
  type SetAside,
  type WorkKind,
  workKinds,
} from '../../recovery/set-aside/set-aside-ports.ts';
import { merchantIdField } from '../shapes.ts';

export const kindField = Type.Unsafe<WorkKind>({
  ...enumField(workKinds, 'What kind of work it is.'),
  title: 'WorkKind',
});
export const workIdField = idField(
  'The invoice of a payment, the key of a charge, the event of a delivery (of one to a further endpoint with a colon and its id behind), the sequence number of a request.',
);

export const setAsideShape = Type.Object(
  {
    kind: kindField,
    merchant_id: merchantIdField,
    id: workIdField,
    invoice_id: Type.Optional(Type.String()),
    reason: Type.String({ description: 'The last fault, or why it was given up.' }),
    failures: Type.Integer({ description: 'How often in a row it failed.' }),
    set_aside_at: timeField('Since when it is no longer due.'),
  },
  {
    title: 'SetAside',
    description: 'A failed job that is not run again until somebody retries it.',
    examples: [
      {
        kind: 'payment',
        merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
        id: 'inv_1042',
        invoice_id: 'inv_1042',
        reason: '20 tries in a row reached no PSP',
        failures: 0,
        set_aside_at: '2026-03-06T12:00:00.000Z',
      },
    ],
  },
);

export function setAsideJson(item: SetAside): Type.Static<typeof setAsideShape> {
  return present({
    kind: item.kind,
    merchant_id: item.merchantId,
    id: item.id,
    invoice_id: item.invoiceId,
    reason: item.reason,
    failures: item.failures,
    set_aside_at: item.setAsideAt.toISOString(),
  });
}
