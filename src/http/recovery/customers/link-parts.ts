import { Type } from 'typebox';
import { lastMonth } from '../../../domain/card-expiry.ts';
import { decimalNumber } from '../../../domain/money.ts';
import { present } from '../../../domain/present.ts';
import { paymentStates } from '../../../domain/states.ts';
import type { LinkAnswer, LinkedPayment } from '../../../recovery/customers/customer-links.ts';
import type { DescribedAnswer } from '../../endpoint/define-endpoint.ts';
import { enumField, timeField } from '../../fields.ts';
import { type Answer, jsonAnswer } from '../../server/answer.ts';
import { notFound } from '../answers.ts';
import { messageDocs, refusalDocs } from '../message-docs.ts';

export const linkPath = Type.Object({
  token: Type.String({ description: "What stood for {token} in your page's address." }),
});

const linkNotFound = 'Customer link not found.';
const foreign = 'The link is of a payment of another merchant.';
const ended = 'The link ended with its payment’s window, at 2026-06-29T00:00:05.000Z.';

/** The refusals that each call of a link has. */
export const linkRefusals: Readonly<Record<number, DescribedAnswer>> = {
  403: refusalDocs(
    'The API key is not good for this, or the link is not yours.',
    'Forbidden',
    foreign,
  ),
  404: messageDocs('The token was not signed by Recoup, or not as it came.', linkNotFound),
  410: refusalDocs("The payment's window has ended.", 'Gone', ended),
};

export const linkedPaymentShape = Type.Object(
  {
    invoice_id: Type.Optional(
      Type.String({ description: 'Absent: the link is about a card, and nothing has failed.' }),
    ),
    customer_id: Type.String(),
    subscription_id: Type.Optional(Type.String()),
    payment_method_id: Type.String({
      description: 'The method that was declined last, or that expires.',
    }),
    status: Type.Optional(
      enumField(paymentStates, 'The last three are final: there is nothing left to mend.'),
    ),
    amount: Type.Optional(Type.Number({ description: 'What is owed, in major units.' })),
    currency: Type.Optional(Type.String()),
    card_expires: Type.Optional(
      Type.String({ description: 'Of a link about a card: its last month, as 2026-03.' }),
    ),
    is_replaced: Type.Optional(
      Type.Boolean({ description: 'Of the same: there is nothing left to do.' }),
    ),
    ends_at: timeField(
      'When the link ends: with the window of the payment, or when the card is charged again.',
    ),
  },
  { title: 'CustomerLink' },
);

export const linkedPaymentExample = {
  invoice_id: 'in_1001',
  customer_id: 'cus_1001',
  subscription_id: 'sub_1001',
  payment_method_id: 'pm_1001',
  status: 'scheduled',
  amount: 12.23,
  currency: 'USD',
  ends_at: '2026-06-29T00:00:05.000Z',
} as const;

function linkedPaymentJson(
  payment: LinkedPayment,
  endsAt: Date,
): Type.Static<typeof linkedPaymentShape> {
  return present({
    invoice_id: payment.invoiceId,
    customer_id: payment.customerId,
    subscription_id: payment.subscriptionId,
    payment_method_id: payment.paymentMethodId,
    status: payment.status,
    amount: decimalNumber(payment),
    currency: payment.currency,
    ends_at: endsAt.toISOString(),
  });
}

/** What the page needs to know of what its link names. */
export function linkJson(
  named: Extract<LinkAnswer, { kind: 'payment' | 'card' }>,
): Type.Static<typeof linkedPaymentShape> {
  if (named.kind === 'payment') return linkedPaymentJson(named.payment, named.endsAt);
  const { card, endsAt } = named;
  return {
    customer_id: card.customerId,
    subscription_id: card.subscriptionId,
    payment_method_id: card.paymentMethodId,
    card_expires: lastMonth(card.cardEndsAt),
    is_replaced: card.isEnded,
    ends_at: endsAt.toISOString(),
  };
}

/** What is answered to a token that names nothing for its caller. */
export function linkRefusal(answer: Exclude<LinkAnswer, { kind: 'payment' | 'card' }>): Answer {
  switch (answer.kind) {
    case 'bad':
      return notFound('Customer link');
    case 'foreign':
      return jsonAnswer(403, { message: 'Forbidden', errors: foreign });
    case 'ended':
      return jsonAnswer(410, {
        message: 'Gone',
        errors: `The link ended with its payment’s window, at ${answer.endedAt.toISOString()}.`,
      });
  }
}
