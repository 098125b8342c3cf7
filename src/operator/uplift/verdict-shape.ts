import { Type } from 'typebox';
import { currencyExponent } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import { enumField } from '../../http/fields.ts';
import type { Figure, Verdict } from '../../recovery/uplift.ts';
import { countField, figureShape } from '../shapes.ts';

export const verdictResultField = {
  ...enumField(
    ['more', 'less', 'not_significant', 'too_few'],
    'Whether one arm brings more money than the holdout, such as the learned policy: `not_significant` where the ' +
      'interval of the difference holds zero, `too_few` where fewer than 20 groups of payers are of an arm.',
  ),
  title: 'VerdictResult',
};

export const verdictShape = Type.Object(
  {
    result: verdictResultField,
    learned_payments: countField('Payments of the learned arm that are compared.'),
    holdout_payments: countField('Payments held out of the same merchants and weeks.'),
    amount: figureShape(
      "Recovered beyond what the holdout's rate would have brought, in major units of the currency.",
    ),
    payments_needed: Type.Optional(
      countField(
        'About so many more payments would show such a difference of the money, where it does not.',
      ),
    ),
    rate: figureShape('The difference of the recovered shares of payments.'),
    rate_result: {
      ...verdictResultField,
      description:
        'The same of `rate`, by its own interval: the money may differ where it does not.',
    },
    rate_payments_needed: Type.Optional(
      countField('About so many more payments would show such a difference of the rates.'),
    ),
  },
  {
    title: 'UpliftVerdict',
    description:
      'What the learned policy recovered more than the holdout, of payments of the same merchants and ' +
      'weeks. The same figures wherever it is shown; docs/uplift.md has the formulas.',
  },
);

export function verdictJson(verdict: Verdict, currency: string): Type.Static<typeof verdictShape> {
  const { amountMinor, rate } = verdict;
  return present({
    result: verdict.result,
    learned_payments: verdict.learned,
    holdout_payments: verdict.holdout,
    amount: majorFigure(amountMinor, currency),
    payments_needed: verdict.paymentsNeeded,
    rate: { ...rate },
    rate_result: verdict.rateResult,
    rate_payments_needed: verdict.ratePaymentsNeeded,
  });
}

function majorFigure(figure: Figure, currency: string): Figure {
  const value = majorOf(figure.value, currency);
  if (!('low' in figure)) return { value };
  return { value, low: majorOf(figure.low, currency), high: majorOf(figure.high, currency) };
}

/** Whole minor units in major ones. */
export function majorOf(amountMinor: number, currency: string): number {
  return Math.round(amountMinor) / 10 ** currencyExponent(currency);
}
