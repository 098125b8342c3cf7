import type { PolicyKindJson } from '../../api/generated/merchants.ts';
import type { RequestWhatIfBody } from '../../api/generated/models.ts';
import { count } from '../../parts/count.ts';

/** The policies that can be tested. */
export const policyNames: Readonly<Record<PolicyKindJson, string>> = {
  learned: 'Learned policy',
  fixed: 'Fixed days',
  even: 'Evenly over the window',
};

export const policyKinds: readonly PolicyKindJson[] = ['learned', 'fixed', 'even'];

/** `Learned policy, 14 days, 4 tries`. */
export function termsText({
  policy,
  window_days: days,
  max_attempts: tries,
  fixed_days: fixed,
}: RequestWhatIfBody & { readonly fixed_days?: readonly number[] }): string {
  const name = policyNames[policy];
  const named = fixed === undefined ? name : `${name} ${fixed.join(', ')}`;
  return `${named}; ${count(days, 'day', 'days')}, ${count(tries, 'try', 'tries')}`;
}
