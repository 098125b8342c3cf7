import { Type } from 'typebox';
import { decimalNumber } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import { psps } from '../../domain/psps.ts';
import { enumField, timeField } from '../../http/fields.ts';
import type { UnknownChargeView } from '../../recovery/reports/operator-views.ts';
import { merchantIdField } from '../shapes.ts';

export const unknownChargeShape = Type.Object(
  {
    merchant_id: merchantIdField,
    invoice_id: Type.String(),
    service_id: Type.String({ description: "The attempt's id." }),
    psp: enumField(psps, 'Who was asked to charge.'),
    idempotency_key: Type.String({
      description: 'What the processor was sent to know the charge by: look for it there.',
    }),
    payment_method_id: Type.String(),
    psp_customer_id: Type.Optional(Type.String()),
    amount: Type.Number({ description: 'In major units.' }),
    currency: Type.String(),
    sent_at: timeField('When it was sent.'),
    look_ups: Type.Integer({ description: 'How often the processor was asked what became of it.' }),
    reason: Type.Optional(Type.String({ description: 'Why it is unknown, as the last look-up.' })),
    next_look_up_at: Type.Optional(
      timeField(
        'When the processor is asked again: after seven look-ups once a day, and a person should resolve it; absent when it is asked no more.',
      ),
    ),
  },
  {
    description: 'A charge that may have been made; its invoice is blocked until it is resolved.',
    examples: [
      {
        merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
        invoice_id: 'inv_1042',
        service_id: 'att_8c1k2m3n4p5q6r7s8t9v0w1x',
        psp: 'adyen',
        idempotency_key: 'att_8c1k2m3n4p5q6r7s8t9v0w1x-1',
        payment_method_id: '8416038790273850',
        psp_customer_id: 'shopper-17',
        amount: 12.23,
        currency: 'EUR',
        sent_at: '2026-03-02T12:00:00.000Z',
        look_ups: 7,
        reason: 'the PSP may have forgotten its key',
      },
    ],
  },
);

export function unknownChargeJson(view: UnknownChargeView): Type.Static<typeof unknownChargeShape> {
  const { amountMinor, currency } = view;
  return present({
    merchant_id: view.merchantId,
    invoice_id: view.invoiceId,
    service_id: view.attemptId,
    psp: view.psp,
    idempotency_key: view.idempotencyKey,
    payment_method_id: view.paymentMethodId,
    psp_customer_id: view.pspCustomerId,
    amount: decimalNumber({ amountMinor, currency }),
    currency,
    sent_at: view.sentAt.toISOString(),
    look_ups: view.lookUps,
    reason: view.reason,
    next_look_up_at: view.nextLookUpAt?.toISOString(),
  });
}
