import { Type } from 'typebox';
import { microsPerMajor } from '../../domain/network-rules/network-fee.ts';
import { present } from '../../domain/present.ts';
import { enumField, timeField } from '../../http/fields.ts';
import {
  type Figure,
  type Figures,
  type UpliftReport,
  upliftArms,
  upliftDimensions,
  upliftMetrics,
} from '../../recovery/uplift.ts';
import { countField, figureShape } from '../shapes.ts';
import { majorOf, verdictJson, verdictShape } from './verdict-shape.ts';

const figureText = {
  recovered_rate: 'Recovered by a retry, of all payments.',
  recovered_or_paid_rate: 'Recovered by a retry, or paid in another way, of all payments.',
  recovered_amount_rate: 'The recovered amount over the failed one.',
  net_amount_rate: 'The same, less what was disputed afterwards and not won.',
  attempts_per_recovery: 'Tries that reached a PSP, over recoveries.',
  days_to_recovery: 'Mean days from the failure to the recovery.',
  fees_per_payment: 'Expected network fees, over all payments.',
} as const satisfies Readonly<Record<(typeof upliftMetrics)[number], string>>;

const figuresShape = Type.Object(
  Object.fromEntries(
    upliftMetrics.map((metric) => [metric, Type.Optional(figureShape(figureText[metric]))]),
  ),
  {
    title: 'Figures',
    description:
      'Without bounds where fewer than 20 groups of payers are of the arm; left out where it has no value.',
  },
);

const armShape = Type.Object(
  {
    arm: enumField([...upliftArms], 'Which part of the traffic; explored times are of `learned`.'),
    payments: countField('The n of every figure of the arm.'),
    open: countField('Those that have not ended yet.'),
    failed_amount: Type.Number({ description: 'The sum of their amounts.' }),
    recovered: countField('Recovered by a retry.'),
    recovered_amount: Type.Number(),
    net_amount: Type.Number({ description: 'Less what was disputed afterwards and not won.' }),
    paid_otherwise: countField('Stopped because the payer paid in another way.'),
    tries: countField('That reached a PSP.'),
    fees: Type.Number({ description: 'Expected fees of the networks in the same currency.' }),
    other_fees: countField('Payments with fees in another currency, which are left out.'),
    figures: figuresShape,
  },
  { title: 'UpliftArm' },
);

const formerShape = Type.Object(
  {
    payments: Type.Integer({ minimum: 0 }),
    difference: Type.Object(figuresShape.properties, { title: 'Figures' }),
  },
  {
    title: 'UpliftFormer',
    description:
      'Payments of the same merchants from before any model, on the schedule of then, and the learned ones less these. Before ' +
      'and after, not by chance: whatever else changed in between is in it. Of the dimension `all` alone.',
  },
);

export const upliftShape = Type.Object(
  {
    as_of: Type.Optional(timeField('Every change before this time is counted.')),
    notice: Type.Optional(
      Type.String({ description: 'Why there is nothing to compare, where there is not.' }),
    ),
    parts: Type.Array(
      Type.Object(
        {
          currency: Type.String(),
          dimension: enumField([...upliftDimensions], 'How the payments are split.'),
          part: Type.String({ description: 'The part of the dimension; empty for `all`.' }),
          arms: Type.Array(armShape),
          difference: Type.Optional(
            Type.Object(figuresShape.properties, {
              title: 'Figures',
              description: 'Learned less holdout, of the same merchants and weeks.',
            }),
          ),
          verdict: Type.Optional(verdictShape),
          former: Type.Optional(formerShape),
        },
        { title: 'UpliftPart' },
      ),
    ),
  },
  {
    title: 'Uplift',
    description:
      'The whole of each currency first, then its parts. Amounts are decimals of the major unit.',
    examples: [{ notice: 'There is no holdout: nothing to compare with.', parts: [] }],
  },
);

/** Before the first count. */
export const uncountedUplift: Type.Static<typeof upliftShape> = {
  notice: 'The payments are being counted for the first time: ask again in some minutes.',
  parts: [],
};

/** The report as JSON. */
export function upliftJson(report: UpliftReport, asOf: Date): Type.Static<typeof upliftShape> {
  const notice = noticeOf(report);
  return {
    ...present({ notice }),
    as_of: asOf.toISOString(),
    parts: report.parts.map(({ currency, dimension, part, arms, difference, verdict, former }) => ({
      currency,
      dimension,
      part,
      arms: arms.map(({ arm, sums, figures }) => ({
        arm,
        payments: sums.payments,
        open: sums.open,
        failed_amount: majorOf(sums.failedMinor, currency),
        recovered: sums.recovered,
        recovered_amount: majorOf(sums.recoveredMinor, currency),
        net_amount: majorOf(sums.netMinor, currency),
        paid_otherwise: sums.paidOtherwise,
        tries: sums.tries,
        fees: sums.feesMicros / microsPerMajor,
        other_fees: sums.otherFees,
        figures: figuresJson(figures),
      })),
      ...(difference !== undefined && { difference: figuresJson(difference) }),
      ...(verdict !== undefined && { verdict: verdictJson(verdict, currency) }),
      ...(former !== undefined && {
        former: { payments: former.payments, difference: figuresJson(former.difference) },
      }),
    })),
  };
}

function noticeOf({ hasLearned, hasHoldout, parts }: UpliftReport): string | undefined {
  if (parts.length === 0) return 'No payment failed in this time.';
  if (!hasLearned) return 'No payment was planned by a learned policy: nothing to compare.';
  return hasHoldout ? undefined : 'There is no holdout: nothing to compare with.';
}

function figuresJson(figures: Figures): Readonly<Record<string, Figure>> {
  return Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, { ...figure }]));
}
