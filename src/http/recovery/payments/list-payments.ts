import { Type } from 'typebox';
import { present } from '../../../domain/present.ts';
import { paymentStates, waits } from '../../../domain/states.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { weights } from '../../endpoint/weights.ts';
import { enumField, idField, timeField } from '../../fields.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { paymentSummaryExample } from '../../views/payment-example.ts';
import { paymentSummaryJson, paymentSummaryShape } from '../../views/payment-shape.ts';
import type { RecoveryContext } from '../caller.ts';
import { cursorField, limitField, nextCursorField, pageSize } from '../paging.ts';

const querySchema = Type.Object({
  status: Type.Optional(enumField(paymentStates, 'Only payments in this state.')),
  waiting_for: Type.Optional(
    enumField(
      waits,
      'Only scheduled ones that wait for their next attempt, or for their customer.',
    ),
  ),
  customer_id: Type.Optional(idField('Only payments of this customer.')),
  created_from: Type.Optional(timeField('Only payments whose recovery began then or later.')),
  created_to: Type.Optional(timeField('Only payments whose recovery began before then.')),
  cursor: cursorField('The next_cursor of the page before.'),
  limit: limitField,
});

/** GET /recover/payments: the merchant's payments, the newest first. */
export const listPayments = defineEndpoint({
  method: 'GET',
  path: '/recover/payments',
  scope: 'read',
  weight: weights.page,
  docs: {
    id: 'listPayments',
    tag: 'Payments',
    summary: 'List payments',
    description:
      'Payments under recovery and those that ended, by status, customer and time. `waiting_for=customer` are those that no retry can save: they wait for a new or updated payment method.',
  },
  schema: { query: querySchema },
  answers: {
    200: {
      description: 'One page; without next_cursor it is the last.',
      schema: Type.Object({
        payments: Type.Array(paymentSummaryShape),
        next_cursor: nextCursorField,
      }),
      example: { payments: [paymentSummaryExample], next_cursor: 'WyIyMDI2LTA2LTAxIl0' },
    },
  },
  async answer({ query }, { api, caller }: RecoveryContext) {
    const { status, customer_id: customerId, created_from, created_to, cursor } = query;
    const page = await api.listPayments(
      present({
        merchantId: caller.merchantId,
        limit: pageSize(query.limit),
        status,
        waitingFor: query.waiting_for,
        customerId,
        createdFrom: created_from === undefined ? undefined : new Date(created_from),
        createdTo: created_to === undefined ? undefined : new Date(created_to),
        cursor,
      }),
    );
    return jsonAnswer(200, {
      payments: page.items.map(paymentSummaryJson),
      next_cursor: page.nextCursor,
    });
  },
});
