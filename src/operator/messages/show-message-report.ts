import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import {
  type CardArmReport,
  type CardReport,
  measureCardMessages,
} from '../../recovery/messages/measure-card-messages.ts';
import {
  type MessageArmReport,
  type MessageReport,
  measureMessages,
} from '../../recovery/messages/measure-messages.ts';
import { countMessages, sumCardArms, sumMessageArms } from '../../store/messages/message-arms.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { countField, figureShape, merchantPath, refusals } from '../shapes.ts';
import { majorOf, verdictJson, verdictResultField, verdictShape } from '../uplift/verdict-shape.ts';

const armShape = Type.Object(
  {
    payments: countField('Payments that began to wait for a customer whose address was known.'),
    open: countField('Those that have not ended yet.'),
    failed_amount: Type.Number({ description: 'The sum of their amounts.' }),
    recovered: countField('Recovered by a retry, or paid in another way.'),
    recovered_amount: Type.Number(),
    recovered_rate: Type.Optional(figureShape('recovered, of payments.')),
  },
  { title: 'MessageArm' },
);

const cardArmShape = Type.Object(
  {
    cards: countField(
      'Cards that expire before they are charged again, of customers whose address was known.',
    ),
    open: countField('Those neither replaced nor charged yet.'),
    kept: countField('Replaced in time, or charged successfully anyway.'),
    kept_rate: Type.Optional(figureShape('kept, of cards.')),
  },
  { title: 'CardArm' },
);

const cardsShape = Type.Object(
  {
    messages: cardArmShape,
    holdout: cardArmShape,
    result: Type.Optional(verdictResultField),
    rate: Type.Optional(figureShape('The difference of the two rates.')),
  },
  { title: 'CardComparison', description: 'Messages about cards. Absent if there are no cards.' },
);

export const messageReportShape = Type.Object(
  {
    sent: countField('Messages that a mail server accepted.'),
    bounced: countField('Messages that were refused or bounced.'),
    stopped: countField('Customers who opted out or complained.'),
    currencies: Type.Array(
      Type.Object(
        {
          currency: Type.String(),
          messages: armShape,
          holdout: armShape,
          verdict: Type.Optional(verdictShape),
        },
        { title: 'MessageComparison' },
      ),
      {
        description:
          'By currency. verdict is computed as in the uplift report, with the payments with messages as its learned arm.',
      },
    ),
    cards: Type.Optional(cardsShape),
  },
  {
    title: 'MessageReport',
    description: 'What is recovered with messages, and without.',
    examples: [{ sent: 0, bounced: 0, stopped: 0, currencies: [] }],
  },
);

/** GET /api/merchants/{id}/message-report */
export const showMessageReport = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/message-report',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'showMessageReport',
    tag: 'Messages',
    summary: 'Show what messages to customers recover',
    description:
      'Payments whose customers are written to, compared with the holdout, with a 95 % interval over groups of customers. Each payment stays in its initial arm, whether or not a message was sent.',
  },
  schema: {
    path: merchantPath,
    query: Type.Object(
      { since: Type.Optional(timeField('Only payments that began to wait from then on.')) },
      { additionalProperties: false },
    ),
  },
  answers: { 200: messageReportShape, ...refusals(400, 404) },
  async answer({ path, query }, { db, reports }: Pick<OperatorDeps, 'db' | 'reports'>) {
    const { merchantId } = await findMerchant(db, path.id);
    const since = query.since === undefined ? undefined : new Date(query.since);
    const of = { merchantId, ...present({ since }) };
    const [sums, cardSums, counts] = await Promise.all([
      sumMessageArms(reports, of),
      sumCardArms(reports, of),
      countMessages(reports, of),
    ]);
    const cards = measureCardMessages(cardSums);
    return contentAnswer({
      ...counts,
      currencies: measureMessages(sums).map(reportJson),
      ...(cards !== undefined && { cards: cardsJson(cards) }),
    });
  },
});

function reportJson({ currency, messages, holdout, verdict }: MessageReport) {
  return {
    currency,
    messages: armJson(messages, currency),
    holdout: armJson(holdout, currency),
    ...(verdict !== undefined && { verdict: verdictJson(verdict, currency) }),
  };
}

function cardsJson({ messages, holdout, verdict }: CardReport): Type.Static<typeof cardsShape> {
  return {
    messages: cardArmJson(messages),
    holdout: cardArmJson(holdout),
    ...(verdict !== undefined && { result: verdict.result, rate: { ...verdict.rate } }),
  };
}

function cardArmJson({ keptRate, ...counts }: CardArmReport): Type.Static<typeof cardArmShape> {
  return present({ ...counts, kept_rate: keptRate && { ...keptRate } });
}

function armJson(arm: MessageArmReport, currency: string): Type.Static<typeof armShape> {
  return present({
    payments: arm.payments,
    open: arm.open,
    failed_amount: majorOf(arm.failedMinor, currency),
    recovered: arm.recovered,
    recovered_amount: majorOf(arm.recoveredMinor, currency),
    recovered_rate: arm.recoveredRate && { ...arm.recoveredRate },
  });
}
