import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { enumField, timeField } from '../../http/fields.ts';
import { arms } from '../../policy/plan.ts';
import type { ExperimentArmView, ExperimentView } from '../../recovery/reports/experiments.ts';
import { countField, figureShape, merchantIdField } from '../shapes.ts';

const figure = (description: string) => Type.Optional(figureShape(description));

const armShape = Type.Object(
  {
    arm: enumField(
      arms,
      'learned: times that the model chose. explore: times by chance, of the same payments. holdout: ' +
        'payments that stay on the fixed days. fallback: fixed days while the model was not trusted.',
    ),
    share: Type.Optional(
      Type.Number({
        description:
          'For holdout, the share of payments; for learned and explore, the share of the other payments’ decisions.',
      }),
    ),
    payments: countField('Payments in the arm; 0 for explore, which counts decisions only.'),
    recovered: countField('Of them, by a retry.'),
    recovered_rate: figure('recovered / payments, clustered by payer.'),
    tries: countField('Tries whose time this arm chose, that reached a PSP and ended.'),
    succeeded: countField('Of them.'),
    success_rate: figure('succeeded / tries, clustered by payer.'),
  },
  { title: 'ExperimentArm' },
);

const experimentShape = Type.Object(
  {
    merchant_id: merchantIdField,
    merchant_name: Type.String(),
    since: timeField('Since when the merchant’s policy has been as it is now.'),
    figures_from: timeField('The figures cover payments that failed at this time or later.'),
    window_days: Type.Integer(),
    max_attempts: Type.Integer(),
    fixed_days: Type.Array(Type.Integer(), {
      description: 'The simple schedule of all payments that the model does not plan.',
    }),
    learned_share: Type.Number({
      description:
        'The share of payments that the model plans at present: 0, then 0.1, 0.5 and 0.9 as it proves itself, or as set by hand.',
    }),
    learned_reason: Type.String({ description: 'Why it is this share, in a sentence.' }),
    segments: Type.Array(
      Type.Object(
        {
          segment: Type.String({ description: 'The product’s id, as the merchant reports it.' }),
          learned_share: Type.Number(),
          learned_reason: Type.String({ description: 'Why it is this share, in a sentence.' }),
          since: timeField('Since when.'),
        },
        { title: 'LearnedSegment' },
      ),
      {
        description:
          'Products whose own payments have shown that they need a different share from the merchant’s; the others follow the merchant’s.',
      },
    ),
    assignment: Type.String({ description: 'How payments are assigned to arms.' }),
    model_id: Type.String({ description: 'The model that plans.' }),
    own_model: Type.Boolean({
      description: 'Whether it is the merchant’s own, or all merchants’.',
    }),
    fallback: Type.Optional(
      Type.Object(
        {
          reason: Type.String(),
          since: Type.Optional(timeField('When it was noticed.')),
        },
        { description: 'Why fixed days are used at the moment; absent while the model plans.' },
      ),
    ),
    arms: Type.Array(armShape),
  },
  { title: 'Experiment' },
);

const time = '2026-03-02T00:00:00.000Z';

export const experimentsShape = Type.Object(
  {
    as_of: Type.Optional(
      timeField(
        'The figures include every change before this time. Absent: nothing has been counted yet, and they are all zero.',
      ),
    ),
    experiments: Type.Array(experimentShape),
  },
  {
    title: 'Experiments',
    description: 'Sorted by merchant name; empty if no merchant has the learned policy.',
    examples: [
      {
        as_of: time,
        experiments: [
          {
            merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
            merchant_name: 'Acme',
            since: time,
            figures_from: time,
            window_days: 28,
            max_attempts: 8,
            fixed_days: [3, 7, 10, 14, 17, 21, 24, 28],
            learned_share: 0.9,
            learned_reason:
              'No change: the learned policy recovered 1.9 points more (95 %: 0.4 to 3.5).',
            segments: [
              {
                segment: 'prod_annual',
                learned_share: 0.1,
                learned_reason:
                  'A step back: the learned policy recovered 3.1 points less (95 %: 0.8 to 5.2).',
                since: time,
              },
            ],
            assignment: 'By a hash of the invoice id, the same on every machine.',
            model_id: 'mod_3v5kq0m2w8x1c7n4t6r9b2h1',
            own_model: false,
            arms: [
              {
                arm: 'learned',
                share: 0.93,
                payments: 1200,
                recovered: 660,
                recovered_rate: { value: 0.55, low: 0.52, high: 0.58 },
                tries: 2400,
                succeeded: 640,
                success_rate: { value: 0.267, low: 0.25, high: 0.28 },
              },
            ],
          },
        ],
      },
    ],
  },
);

/** As `decideLearned` draws them: hashes of the invoice's id, salted with the merchant's. */
const assignment =
  'By a hash of the invoice id and the merchant id: the same payment is in the same arm on every ' +
  'machine and for every plan. Whether a decision of the others takes a random time is decided by ' +
  'the same hash with the number of the try.';

export function experimentJson(view: ExperimentView): Type.Static<typeof experimentShape> {
  return present({
    merchant_id: view.merchantId,
    merchant_name: view.name,
    since: view.policySince.toISOString(),
    figures_from: view.from.toISOString(),
    window_days: view.windowDays,
    max_attempts: view.maxAttempts,
    fixed_days: [...view.fixedDays],
    learned_share: view.learnedShare,
    learned_reason: view.learnedReason,
    segments: view.segments.map(({ segment, learnedShare, learnedReason, since }) => ({
      segment,
      learned_share: learnedShare,
      learned_reason: learnedReason,
      since: since.toISOString(),
    })),
    assignment,
    model_id: view.modelId,
    own_model: view.isOwnModel,
    fallback:
      view.fallback &&
      present({ reason: view.fallback.message, since: view.fallback.since?.toISOString() }),
    arms: view.arms.map(armJson),
  });
}

function armJson(view: ExperimentArmView): Type.Static<typeof armShape> {
  return present({
    arm: view.arm,
    share: view.share,
    payments: view.payments,
    recovered: view.recovered,
    recovered_rate: view.recoveredRate,
    tries: view.tries,
    succeeded: view.succeeded,
    success_rate: view.successRate,
  });
}
