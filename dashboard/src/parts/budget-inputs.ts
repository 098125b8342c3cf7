import type { PolicyJson } from '../api/generated/merchants.ts';

/** The inputs of how long and how often a failed payment is retried, which begin with the policy's. */
export function budgetInputs({ window_days, max_attempts }: PolicyJson) {
  const number = { type: 'number', required: true, min: 1 } as const;
  return {
    window: { ...number, name: 'window_days', max: 60, defaultValue: window_days },
    tries: { ...number, name: 'max_attempts', max: 20, defaultValue: max_attempts },
  };
}

/** What the form with these inputs says. */
export function budgetOf(fields: FormData): Pick<PolicyJson, 'window_days' | 'max_attempts'> {
  return {
    window_days: Number(fields.get('window_days')),
    max_attempts: Number(fields.get('max_attempts')),
  };
}
