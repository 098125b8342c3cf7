import { useState } from 'react';
import type { PolicyJson, PolicyKindJson } from '../../api/generated/merchants.ts';
import { budgetInputs, budgetOf } from '../../parts/budget-inputs.ts';

/** What a new merchant begins with, unless something else is chosen. */
export const standardPolicy: PolicyJson = {
  kind: 'fixed',
  window_days: 28,
  max_attempts: 8,
  fixed_days: [1, 3, 5, 7],
};

/** When each kind of policy retries. */
export const retryTimes: Readonly<Record<PolicyKindJson, string>> = {
  fixed: 'on fixed days',
  even: 'evenly over the window',
  learned: 'when the learned policy expects most',
};

/** When failed payments are retried, how long and how often. */
export function PolicyFields({ policy }: { readonly policy: PolicyJson }) {
  const [kind, setKind] = useState<string>(policy.kind);
  const inputs = budgetInputs(policy);
  return (
    <fieldset className="fields">
      <legend>Retries</legend>
      <label>
        When
        <select name="kind" value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
          {Object.entries(retryTimes).map(([each, words]) => (
            <option key={each} value={each}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {kind !== 'even' && (
        <label>
          {kind === 'learned'
            ? 'Days of the payments that are held out to compare with, rising'
            : 'Days after the failure, rising'}
          <input
            name="fixed_days"
            required
            pattern="\s*\d+(\s*,\s*\d+)*\s*"
            title="Whole numbers with commas between them, such as 1, 3, 5, 7"
            defaultValue={policy.fixed_days.join(', ')}
          />
        </label>
      )}
      <label>
        Window in days, 1 to 60
        <input {...inputs.window} />
      </label>
      <label>
        Tries at most, 1 to 20
        <input {...inputs.tries} />
      </label>
    </fieldset>
  );
}

/** The `policy` of a form. */
export function policyOf(fields: FormData): object {
  const days = fields.get('fixed_days');
  return {
    kind: String(fields.get('kind')),
    ...budgetOf(fields),
    ...(days === null ? {} : { fixed_days: String(days).split(',').map(Number) }),
  };
}
