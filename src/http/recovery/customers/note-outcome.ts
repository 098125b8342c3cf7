import { Type } from 'typebox';
import { customerOutcomes } from '../../../domain/customers/customer-contact.ts';
import { fieldRequired } from '../../../domain/json/fault.ts';
import { present } from '../../../domain/present.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { enumField, idField } from '../../fields.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { invalidRequest } from '../answers.ts';
import type { RecoveryContext } from '../caller.ts';
import { linkPath, linkRefusal, linkRefusals } from './link-parts.ts';

const bodySchema = Type.Object(
  {
    outcome: enumField(
      customerOutcomes,
      'What the customer did. Each but refused brings the next try at once.',
    ),
    payment_method_id: Type.Optional(
      idField(
        "The PSP's id of the method that was added, or of the one that was mended. Default: the one that was declined last; required of payment_method_added.",
      ),
    ),
  },
  { description: "What became of the customer's visit." },
);

/** POST /recover/customer_links/{token}/outcomes */
export const noteOutcome = defineEndpoint({
  method: 'POST',
  path: '/recover/customer_links/{token}/outcomes',
  scope: 'intake',
  docs: {
    id: 'noteCustomerOutcome',
    tag: 'Customers',
    summary: 'Tell what a customer did on your page',
    description:
      'A method that was added or mended, an authentication, or a call to the bank is taken as a payment ' +
      'method update is: the payment is planned again at once. No such update need be sent beside it.',
  },
  schema: { path: linkPath, body: bodySchema },
  body: {
    examples: {
      new_card: { outcome: 'payment_method_added', payment_method_id: 'pm_1002' },
      authenticated: { outcome: 'authenticated' },
      refused: { outcome: 'refused' },
    },
  },
  answers: {
    200: {
      description: 'It is kept, and tried where it may help.',
      schema: Type.Object({
        invoice_id: Type.Optional(Type.String()),
        payment_method_id: Type.Optional(
          Type.String({ description: 'Of a link about a card, in the place of invoice_id.' }),
        ),
        retries: Type.Boolean({
          description:
            'Whether the payment is planned again; not of refused, nor once it has ended.',
        }),
      }),
      example: { invoice_id: 'in_1001', retries: true },
    },
    ...linkRefusals,
  },
  async answer({ path, body }, { api, caller, receiptUuid }: RecoveryContext) {
    const { outcome, payment_method_id: paymentMethodId } = body;
    const noted = await api.noteCustomerOutcome({
      merchantId: caller.merchantId,
      token: path.token,
      uuid: receiptUuid,
      outcome,
      ...present({ paymentMethodId }),
    });
    switch (noted.kind) {
      case 'method_missing':
        return invalidRequest([{ at: 'payment_method_id', text: fieldRequired }]);
      case 'payment':
      case 'kept':
        return jsonAnswer(200, {
          invoice_id: noted.payment.invoiceId,
          retries: noted.kind === 'payment',
        });
      case 'card_kept':
        return jsonAnswer(200, { payment_method_id: noted.card.paymentMethodId, retries: false });
      default:
        return linkRefusal(noted);
    }
  },
});
