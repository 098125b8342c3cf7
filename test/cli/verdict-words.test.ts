import { expect, it } from 'vitest';
import { verdictText } from '../../dashboard/src/parts/verdict-text.ts';
import { verdictWords } from '../../src/cli/verdict-words.ts';

const results = ['more', 'less', 'not_significant', 'too_few'] as const;
const compared = { subject: 'messages recover', than: ' than the holdout' };

it.each(results.flatMap((money) => results.map((rate) => [money, rate] as const)))(
  'of the money %s and of the rate %s the command line says what the dashboard says',
  (result, rate_result) => {
    const verdict = {
      result,
      learned_payments: 900,
      holdout_payments: 100,
      amount: { value: 12 },
      payments_needed: 80,
      rate: { value: 0.02 },
      rate_result,
      rate_payments_needed: 90,
    };
    const words = verdictWords(verdict, compared);
    const [, shown = ''] =
      /^(.*?)(?: \(needs at least .*\))?$/.exec(verdictText(verdict, compared)) ?? [];
    expect(shown.toLowerCase()).toBe(words);
  },
);

it('claims no more of the rate than its own interval does', () => {
  const verdict = {
    result: 'more' as const,
    learned_payments: 900,
    holdout_payments: 100,
    amount: { value: 12, low: 1, high: 23 },
    rate: { value: 0.02, low: -0.01, high: 0.05 },
    rate_result: 'not_significant' as const,
    rate_payments_needed: 3_400,
  };
  expect(verdictWords(verdict, compared)).toBe(
    'messages recover more money than the holdout; the recovery rate does not differ significantly yet (needs about 3400 more payments)',
  );
});
