import { Type } from 'typebox';
import { secondMs } from '../../domain/clock.ts';
import { type Decline, declineCategories, declineVoices } from '../../domain/declines/decline.ts';
import { cardNetworks } from '../../domain/declines/decline-codes.ts';
import { decimalNumber } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import { attemptStates, pspTransactionStates } from '../../domain/states.ts';
import type { AttemptView, TransactionView } from '../../recovery/api.ts';
import { enumField, timeField } from '../fields.ts';
import { decisionField } from './decision-shape.ts';
import { freeObject } from './free-object.ts';

const declineShape = Type.Object(
  {
    category: enumField(declineCategories, 'What it means for the next try.'),
    code: Type.String({ description: "The PSP's own code." }),
    message: Type.Optional(Type.String()),
    network: Type.Optional(enumField(cardNetworks, 'By whose table the codes were read.')),
    network_code: Type.Optional(Type.String({ description: "The network's response code." })),
    advice_code: Type.Optional(Type.String({ description: "Mastercard's merchant advice code." })),
    wait_seconds: Type.Optional(Type.Integer({ description: 'How long the issuer asks to wait.' })),
    sources: Type.Optional(
      Type.Array(
        Type.Object({
          source: enumField(declineVoices, 'Who said it.'),
          said: Type.String(),
          category: enumField(declineCategories, 'What it means by itself.'),
        }),
        { description: 'What each source said: the one that decided first, then by precedence.' },
      ),
    ),
  },
  { title: 'Decline' },
);

const transactionShape = Type.Object(
  {
    ordinal: Type.Integer({ description: "1 for the attempt's first method." }),
    status: enumField(
      pspTransactionStates,
      'not_made: it never arrived at the PSP, or the PSP refused the request.',
    ),
    payment_method_id: Type.String(),
    psp_transaction_id: Type.Optional(Type.String()),
    network_transaction_id: Type.Optional(Type.String()),
    amount: Type.Number(),
    currency: Type.String(),
    decline: Type.Optional(declineShape),
    reason: Type.Optional(
      Type.String({ description: 'Why it was not made, or why its outcome is unknown.' }),
    ),
    sent_at: timeField('When the charge was sent.'),
    settled_at: Type.Optional(timeField('When its outcome was known.')),
  },
  { title: 'Transaction' },
);

/** One retry: the final check, then a charge per method. */
export const attemptShape = Type.Object(
  {
    id: Type.String(),
    number: Type.Integer(),
    status: enumField(attemptStates, 'unknown: the answer was lost and is being looked up.'),
    started_at: timeField('When the final check began.'),
    ended_at: Type.Optional(timeField('When it was over.')),
    amount: Type.Optional(Type.Number()),
    currency: Type.Optional(Type.String()),
    decision: Type.Optional(decisionField('The decision that set its time and methods.')),
    check: Type.Optional(freeObject("What the merchant's server said to the final check.")),
    transactions: Type.Array(transactionShape),
    blocked_charges: Type.Optional(
      Type.Array(
        freeObject("A charge that a network's rule refused: the rule, its source, and until when."),
      ),
    ),
  },
  { title: 'Attempt' },
);

export function attemptJson(attempt: AttemptView): Type.Static<typeof attemptShape> {
  const { amountMinor, currency } = attempt;
  return present({
    id: attempt.attemptId,
    number: attempt.number,
    status: attempt.status,
    started_at: attempt.startedAt.toISOString(),
    ended_at: attempt.endedAt?.toISOString(),
    amount:
      amountMinor === undefined || currency === undefined
        ? undefined
        : decimalNumber({ amountMinor, currency }),
    currency,
    decision: attempt.decision,
    check: attempt.check,
    transactions: attempt.transactions.map(transactionJson),
    blocked_charges: attempt.blockedCharges?.slice(),
  });
}

function transactionJson(transaction: TransactionView): Type.Static<typeof transactionShape> {
  return present({
    ordinal: transaction.ordinal,
    status: transaction.status,
    payment_method_id: transaction.paymentMethodId,
    psp_transaction_id: transaction.pspTransactionId,
    network_transaction_id: transaction.networkTransactionId,
    amount: decimalNumber(transaction),
    currency: transaction.currency,
    decline: transaction.decline && declineJson(transaction.decline),
    reason: transaction.reason,
    sent_at: transaction.sentAt.toISOString(),
    settled_at: transaction.settledAt?.toISOString(),
  });
}

function declineJson(decline: Decline): Type.Static<typeof declineShape> {
  return present({
    category: decline.category,
    code: decline.code,
    message: decline.message,
    network: decline.network,
    network_code: decline.networkCode,
    advice_code: decline.adviceCode,
    wait_seconds: decline.waitMs === undefined ? undefined : Math.ceil(decline.waitMs / secondMs),
    sources: decline.sources?.map((item) => ({ ...item })),
  });
}
