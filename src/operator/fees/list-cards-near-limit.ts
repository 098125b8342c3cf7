import { Type } from 'typebox';
import { addMs, dayMs } from '../../domain/clock.ts';
import { monthlyLimitDays } from '../../domain/network-rules/monthly-limits.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { CardNearLimit } from '../../recovery/reports/operator-views.ts';
import { readCardsNearLimit } from '../../store/reports/read-cards-near-limit.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { whose } from '../session/permit.ts';
import { merchantIdField, pageJson, pageOf, pageQuery, pageShape, refusals } from '../shapes.ts';

const query = Type.Object(
  { merchant_id: Type.Optional(merchantIdField), ...pageQuery },
  { additionalProperties: false },
);

const cardShape = Type.Object(
  {
    merchant_id: merchantIdField,
    card: Type.String({ description: "The card's fingerprint, or its method's id; no number." }),
    acceptor: Type.String({ description: 'Where it is charged.' }),
    network: Type.String({ description: 'Whose limit it is.' }),
    counter: Type.Optional(
      Type.String({
        description: 'Visa counts separately by who initiated the charge and by credential.',
      }),
    ),
    tries: Type.Integer({
      description: 'Declined charges in the last 30 days that count towards the limit.',
    }),
    most: Type.Integer({ description: 'How many the network allows.' }),
    last_at: timeField('When the last one was made.'),
    oldest_leaves_at: timeField('When the oldest one stops counting.'),
    payment_method_id: Type.String({ description: 'Of the last one.' }),
    invoice_id: Type.String({ description: 'Of the last one.' }),
  },
  {
    title: 'CardNearLimit',
    examples: [
      {
        merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
        card: 'fingerprint:stripe:Xt5EWLLDS7FJjR1c',
        acceptor: 'stripe',
        network: 'visa',
        counter: 'mit pan',
        tries: 17,
        most: 20,
        last_at: '2026-03-01T09:30:00.000Z',
        oldest_leaves_at: '2026-03-09T09:30:00.000Z',
        payment_method_id: 'pm_1NxW',
        invoice_id: 'in_1001',
      },
    ],
  },
);

/** GET /api/cards-near-limit */
export const listCardsNearLimit = defineEndpoint({
  method: 'GET',
  path: '/api/cards-near-limit',
  needs: { role: 'viewer', reach: 'queried' },
  docs: {
    id: 'listCardsNearLimit',
    tag: 'Limits',
    summary: "List cards near a network's limit",
    description:
      'Cards that have used half or more of the charges that Visa, Mastercard, American Express ' +
      'or Discover allow in 30 days, those with the least left first. This is an overview; the limits that ' +
      'each charge is checked against are in docs/network-rules.md. A charge that is reported long after it ' +
      'was made appears within ten minutes.',
  },
  schema: { query },
  answers: { 200: pageShape(cardShape, 'One page of them.'), ...refusals(400) },
  async answer(
    { query },
    context: Pick<OperatorContext, 'reports' | 'now' | 'refreshSums' | 'caller'>,
  ) {
    context.refreshSums();
    const page = await readCardsNearLimit(context.reports, {
      ...whose(context, query),
      ...pageOf(query),
      at: context.now(),
    });
    return contentAnswer(pageJson(page, cardJson));
  },
});

function cardJson(card: CardNearLimit): Type.Static<typeof cardShape> {
  return present({
    merchant_id: card.merchantId,
    card: card.card,
    acceptor: card.acceptor,
    network: card.network,
    counter: card.counter,
    tries: card.tries,
    most: card.most,
    last_at: card.lastAt.toISOString(),
    oldest_leaves_at: addMs(card.firstAt, monthlyLimitDays * dayMs).toISOString(),
    payment_method_id: card.paymentMethodId,
    invoice_id: card.invoiceId,
  });
}
