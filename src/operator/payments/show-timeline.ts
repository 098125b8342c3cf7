import { Type } from 'typebox';
import { decimalNumber } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField, timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { freeObject } from '../../http/views/free-object.ts';
import { paymentJson } from '../../http/views/payment-shape.ts';
import type { ChanceCurve } from '../../policy/learned/chance-curve.ts';
import { type PaymentOutlook, paymentOutlook } from '../../recovery/learned/payment-outlook.ts';
import {
  type PaymentTimeline,
  type StoryMethod,
  type TimelineEntry,
  timelineActors,
  timelineKinds,
} from '../../recovery/reports/payment-story.ts';
import { paymentTimeline } from '../../recovery/reports/payment-timeline.ts';
import { readPaymentStory } from '../../store/reports/payment-story.ts';
import { showPayment } from '../../store/views/payment-views.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { keyOf, paymentNotFound, paymentPath } from './payment-path.ts';
import { operatorPaymentShape } from './show-payment.ts';

const methodShape = Type.Object(
  {
    payment_method_id: Type.String(),
    scheme: Type.Optional(Type.String()),
    funding_source: Type.Optional(Type.String()),
    bin: Type.Optional(Type.String()),
    issuer_country: Type.Optional(Type.String()),
    removed: Type.Boolean(),
  },
  {
    title: 'PaymentMethod',
    examples: [{ payment_method_id: 'pm_1001', scheme: 'visa', removed: false }],
  },
);

const entryExample = {
  at: '2026-06-01T00:00:05.000Z',
  kind: 'failed',
  actor: 'merchant',
  message: 'A charge failed at the merchant.',
  amount: 12.23,
  currency: 'USD',
  facts: {},
};

const entryShape = Type.Object(
  {
    at: timeField('When it happened.'),
    kind: enumField([...timelineKinds], 'What kind of thing it is.'),
    actor: enumField([...timelineActors], 'Who did it, or whose word it is.'),
    message: Type.String({ description: 'What happened.' }),
    because: Type.Optional(Type.String({ description: 'Why, where somebody decided something.' })),
    amount: Type.Optional(Type.Number()),
    currency: Type.Optional(Type.String()),
    facts: freeObject("What was said or sent, in the API's own names."),
  },
  { title: 'TimelineEntry', examples: [entryExample] },
);

const curveShape = Type.Object(
  {
    payment_method_id: Type.String({ description: 'Of which method.' }),
    from: timeField('When the first step begins; the last one holds the end of the window.'),
    step_ms: Type.Integer({ description: 'How long a step is.' }),
    chances: Type.Array(Type.Number(), {
      description: 'Of an approval in each step, from 0 to 1.',
    }),
    allowed_at: timeField("Before it the issuer's advice or a network's rule forbids a try."),
    bound_by: Type.Optional(Type.String({ description: 'What forbids it.' })),
    utc_offset_minutes: Type.Integer({ description: "Of the payer's zone." }),
  },
  {
    title: 'ChanceCurve',
    description: 'Of a plan that a model made: the chances over the window, as it sees them now.',
    examples: [
      {
        payment_method_id: 'pm_1001',
        from: '2026-06-01T01:00:00.000Z',
        step_ms: 7_200_000,
        chances: [0.08, 0.11, 0.19],
        allowed_at: '2026-06-01T00:00:05.000Z',
        utc_offset_minutes: -300,
      },
    ],
  },
);

const plannedShape = Type.Object(
  {
    at: timeField('When it begins.'),
    chance: Type.Optional(
      Type.Number({ description: 'Of an approval, from 0 to 1, where a model planned it.' }),
    ),
  },
  { title: 'PlannedTry', examples: [{ at: '2026-06-04T00:00:05.000Z', chance: 0.06 }] },
);

const timelineShape = Type.Object(
  {
    payment: operatorPaymentShape,
    methods: Type.Array(methodShape, { description: 'Its payment methods, in its own order.' }),
    entries: Type.Array(entryShape, { description: 'The oldest first.' }),
    planned: Type.Array(plannedShape, {
      description:
        'The attempt that is planned, and those meant to follow where it is declined, as they are planned now.',
    }),
    curve: Type.Optional(curveShape),
  },
  { title: 'Timeline', description: 'The payment, and everything that touched it in order.' },
);

/** GET /api/merchants/{id}/payments/{invoice_id}/timeline */
export const showTimeline = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/payments/{invoice_id}/timeline',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'showTimeline',
    tag: 'Payments',
    summary: 'Show the whole story of a payment in order',
    description:
      'The failure, what was planned and why, what the merchant, the PSP, the issuer and the networks said, webhooks, method updates, and what operators did.',
  },
  schema: { path: paymentPath },
  answers: { 200: timelineShape, ...refusals(404) },
  async answer({ path }, deps: Pick<OperatorDeps, 'db' | 'curves'>) {
    const { db, curves } = deps;
    const key = await keyOf(db, path);
    const [payment, story, outlook] = await Promise.all([
      showPayment(db, key),
      readPaymentStory(db, key),
      paymentOutlook(curves, key),
    ]);
    if (payment === undefined || story === undefined) throw paymentNotFound();
    return contentAnswer(timelineJson(key.merchantId, paymentTimeline(payment, story), outlook));
  },
});

function timelineJson(
  merchantId: string,
  { payment, methods, entries }: PaymentTimeline,
  { planned, curve }: PaymentOutlook,
): Type.Static<typeof timelineShape> {
  return present({
    payment: { merchant_id: merchantId, ...paymentJson(payment) },
    methods: methods.map(methodJson),
    entries: entries.map(entryJson),
    planned: planned.map(({ at, chance }) => present({ at: at.toISOString(), chance })),
    curve: curve && curveJson(curve),
  });
}

function curveJson(curve: ChanceCurve): Type.Static<typeof curveShape> {
  return present({
    payment_method_id: curve.paymentMethodId,
    from: curve.from.toISOString(),
    step_ms: curve.stepMs,
    chances: [...curve.chances],
    allowed_at: curve.allowedAt.toISOString(),
    bound_by: curve.boundBy,
    utc_offset_minutes: curve.utcOffsetMinutes,
  });
}

function methodJson(method: StoryMethod): Type.Static<typeof methodShape> {
  return present({
    payment_method_id: method.paymentMethodId,
    scheme: method.scheme,
    funding_source: method.fundingSource,
    bin: method.bin,
    issuer_country: method.issuerCountry,
    removed: method.isRemoved,
  });
}

function entryJson(entry: TimelineEntry): Type.Static<typeof entryShape> {
  const { amountMinor, currency } = entry;
  const hasAmount = amountMinor !== undefined && currency !== undefined;
  return present({
    at: entry.at.toISOString(),
    kind: entry.kind,
    actor: entry.actor,
    message: entry.message,
    because: entry.because,
    amount: hasAmount ? decimalNumber({ amountMinor, currency }) : undefined,
    currency,
    facts: entry.facts,
  });
}
