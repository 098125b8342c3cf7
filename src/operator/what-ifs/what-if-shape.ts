import { Type } from 'typebox';
import { policyKinds } from '../../domain/merchant.ts';
import { decimalNumber } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import { enumField, timeField } from '../../http/fields.ts';
import type { Estimate } from '../../policy/evaluation/cluster-bootstrap.ts';
import type { OffPolicyEstimate, Refusal } from '../../policy/evaluation/off-policy.ts';
import {
  type WhatIf,
  type WhatIfMoney,
  type WhatIfResult,
  whatIfStates,
} from '../../recovery/what-if/what-if-ports.ts';
import { countField, merchantIdField } from '../shapes.ts';

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const estimateShape = (description: string) =>
  Type.Object(
    {
      value: Type.Number(),
      low: Type.Number({ description: 'With `high`: bounds of 95 %, clustered by payer.' }),
      high: Type.Number(),
    },
    { title: 'Estimate', description },
  );

const claimShape = (description: string) =>
  Type.Object(
    {
      claimed: Type.Boolean({ description: 'Whether the history carries the claim.' }),
      n: countField('Decisions, or payments, that it is made from.'),
      payers: Type.Optional(countField('Of them.')),
      logged: Type.Optional(estimateShape('What came of what was done instead.')),
      snips: Type.Optional(estimateShape('By self-normalised inverse propensities.')),
      doubly_robust: Type.Optional(estimateShape('The doubly robust estimate.')),
      gain: Type.Optional(estimateShape('`snips` less `logged`, resampled together.')),
      effective_sample: Type.Optional(Type.Number({ minimum: 0 })),
      support: Type.Optional(
        Type.Number({ description: 'Mean weight: 1 where all of its choices were tried.' }),
      ),
      reason: Type.Optional(Type.String({ description: 'Of a refusal, a word.' })),
      message: Type.Optional(Type.String({ description: 'Of a refusal, a sentence.' })),
    },
    { title: 'Claim', description },
  );

const moneyShape = Type.Object(
  {
    currency: Type.String(),
    payments: countField('Of this currency that failed at first.'),
    failed: Type.Number({ description: 'What was due of them, in the major unit.' }),
    claimed: Type.Boolean({ description: 'Whether the history carries the claim.' }),
    recovered: Type.Optional(estimateShape('What these terms would have recovered of it.')),
    logged: Type.Optional(estimateShape('What was recovered of it by what was done instead.')),
    gain: Type.Optional(
      estimateShape('`recovered` less `logged`, resampled together; may be below 0.'),
    ),
    n: countField('Payments that it is made from.'),
    effective_sample: Type.Optional(Type.Number({ minimum: 0 })),
    reason: Type.Optional(Type.String({ description: 'Of a refusal, a word.' })),
    message: Type.Optional(Type.String({ description: 'Of a refusal, a sentence.' })),
  },
  { title: 'WhatIfMoney', description: 'Amounts are decimals of the major unit.' },
);

const resultShape = Type.Object(
  {
    charges: countField('Read: reported ones and Recoup’s own of the last 400 days.'),
    capped: Type.Boolean({ description: 'There were more than one what-if reads.' }),
    failures: countField('Payments that failed at first.'),
    decisions: countField('Moments at which the next try had to be chosen under these terms.'),
    asked: countField('Of them, those that the policy was asked.'),
    asked_share: share(
      'Share of the payers who were drawn for it; others would sharpen intervals.',
    ),
    trained: Type.Boolean({
      description: 'Whether the model was made from half of the payers and judged by the others.',
    }),
    propensities: enumField(
      ['logged', 'estimated'],
      'estimated: the chance of each day was counted, as if days had been chosen without regard to ' +
        'the payer. Where they were not, the estimates are wrong.',
    ),
    would_try: countField('Decisions at which the policy tries again.'),
    median_delay_days: Type.Optional(Type.Number({ description: 'Until its next try.' })),
    tries: countField('Made under these terms.'),
    succeeded: countField('Of them.'),
    success_rate: Type.Optional(estimateShape('succeeded / tries.')),
    next_try: claimShape('The chance that its next try succeeds.'),
    payment: claimShape(
      'The chance that it recovers a payment. Weak evidence, since a payment’s choices multiply.',
    ),
    money: Type.Array(moneyShape, {
      description:
        'The same in money, a currency each, the one with the most payments first: as weak as `payment`. ' +
        'Empty in results of before it was told.',
    }),
  },
  { title: 'WhatIfResult' },
);

export const termsFields = {
  merchant_id: merchantIdField,
  policy: enumField(
    policyKinds,
    'learned: a model made from half of the payers. fixed: the merchant’s fixed days. even: tries ' +
      'evenly over the window.',
  ),
  window_days: Type.Integer({ minimum: 1, maximum: 60, description: 'Days from the failure.' }),
  max_attempts: Type.Integer({ minimum: 1, maximum: 20, description: 'Tries of a recovery.' }),
};

const time = '2026-03-02T00:00:00.000Z';

export const whatIfShape = Type.Object(
  {
    id: Type.String(),
    ...termsFields,
    fixed_days: Type.Optional(
      Type.Array(Type.Integer(), { description: 'Of fixed: the merchant’s days as it was asked.' }),
    ),
    state: enumField(whatIfStates, 'Its progress.'),
    charges_read: countField('Charges read so far.'),
    error: Type.Optional(Type.String({ description: 'Why it failed; a worker tries it again.' })),
    requested_at: timeField('When it was last requested.'),
    updated_at: timeField('When it last made progress.'),
    completed_at: Type.Optional(timeField('When the result was there.')),
    result: Type.Optional(resultShape),
  },
  {
    title: 'WhatIf',
    description: 'A what-if; its last result stays until the next one is ready.',
    examples: [
      {
        id: 'wif_3v5kq0m2w8x1c7n4t6r9b2h1',
        merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
        policy: 'learned',
        window_days: 14,
        max_attempts: 4,
        state: 'queued',
        charges_read: 0,
        requested_at: time,
        updated_at: time,
      },
    ],
  },
);

export function whatIfJson(whatIf: WhatIf): Type.Static<typeof whatIfShape> {
  return present({
    id: whatIf.whatIfId,
    merchant_id: whatIf.merchantId,
    policy: whatIf.policy,
    window_days: whatIf.windowDays,
    max_attempts: whatIf.maxAttempts,
    fixed_days: whatIf.policy === 'fixed' ? [...whatIf.fixedDays] : undefined,
    state: whatIf.state,
    charges_read: whatIf.charges,
    error: whatIf.message === '' ? undefined : whatIf.message,
    requested_at: whatIf.requestedAt.toISOString(),
    updated_at: whatIf.updatedAt.toISOString(),
    completed_at: whatIf.completedAt?.toISOString(),
    result: whatIf.result && resultJson(whatIf.result),
  });
}

function resultJson(result: WhatIfResult): Type.Static<typeof resultShape> {
  return present({
    charges: result.charges,
    capped: result.isCapped,
    failures: result.failures,
    decisions: result.decisions,
    asked: result.asked,
    asked_share: result.askedShare,
    trained: result.isTrained,
    propensities: result.propensities,
    would_try: result.wouldTry,
    median_delay_days: result.medianDelayDays,
    tries: result.logged.tries,
    succeeded: result.logged.succeeded,
    success_rate: result.logged.share,
    next_try: claimJson(result.nextTry),
    payment: claimJson(result.payment),
    money: (result.money ?? []).map(moneyJson),
  });
}

/** Of each payment on average, told of all that failed. */
function moneyJson(money: WhatIfMoney): Type.Static<typeof moneyShape> {
  const { currency, payments, amountMinor, perPayment } = money;
  const common = {
    currency,
    payments,
    failed: majorOf(amountMinor, currency),
    claimed: perPayment.kind === 'estimate',
    n: perPayment.decisions,
    effective_sample: perPayment.effectiveSample,
  };
  if (perPayment.kind === 'refused') {
    const { reason, message } = perPayment;
    return present({ ...common, reason, message });
  }
  const ofAll = ({ value, low, high }: Estimate) => ({
    value: majorOf(value * payments, currency),
    low: majorOf(low * payments, currency),
    high: majorOf(high * payments, currency),
  });
  const { snips, logged, gain } = perPayment;
  return present({
    ...common,
    recovered: ofAll(snips),
    logged: ofAll(logged),
    gain: ofAll(gain),
  });
}

/** Minor units, which may be below 0 and none whole, in the major unit. */
function majorOf(amountMinor: number, currency: string): number {
  const whole = Math.round(Math.abs(amountMinor));
  const major = decimalNumber({ amountMinor: whole, currency });
  return amountMinor < 0 && whole > 0 ? -major : major;
}

function claimJson(claim: OffPolicyEstimate | Refusal): Type.Static<ReturnType<typeof claimShape>> {
  switch (claim.kind) {
    case 'refused':
      return present({
        claimed: false,
        n: claim.decisions,
        effective_sample: claim.effectiveSample,
        reason: claim.reason,
        message: claim.message,
      });
    case 'estimate':
      return present({
        claimed: true,
        n: claim.decisions,
        payers: claim.clusters,
        logged: claim.logged,
        snips: claim.snips,
        doubly_robust: claim.doublyRobust,
        gain: claim.gain,
        effective_sample: claim.effectiveSample,
        support: claim.support,
      });
  }
}
