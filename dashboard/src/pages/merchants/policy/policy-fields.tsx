import { useState } from 'react';
import type { PolicyJson, PolicyKindJson } from '../../../api/generated/merchants.ts';
import { budgetInputs, budgetOf } from '../../../parts/budget-inputs.ts';
import { Choice } from '../../../parts/choice.tsx';
import { LearnedTerms } from './learned-terms.tsx';

/** What a new merchant begins with, unless something else is chosen. */
export const standardPolicy: PolicyJson = {
  kind: 'even',
  window_days: 28,
  max_attempts: 8,
  fixed_days: [3, 7, 10, 14, 17, 21, 24, 28],
};

/** When each kind of policy retries. */
export const retryTimes: Readonly<Record<PolicyKindJson, string>> = {
  fixed: 'on fixed days',
  even: 'evenly over the window',
  learned: 'learned: an even spread first, the model as it proves itself',
};

/** When failed payments are retried, how long and how often. */
export function PolicyFields({
  policy,
  merchantId,
}: {
  readonly policy: PolicyJson;
  /** Of a merchant that is there already. */
  readonly merchantId?: string;
}) {
  const [kind, setKind] = useState<string>(policy.kind);
  const inputs = budgetInputs(policy);
  return (
    <fieldset className="fields">
      <legend>Retries</legend>
      <Choice
        label="When"
        form="above"
        name="kind"
        value={kind}
        options={Object.entries(retryTimes).map(([value, label]) => ({ value, label }))}
        onChange={setKind}
      />
      {kind !== 'even' && (
        <label>
          {kind === 'learned'
            ? 'Days of the schedule that the learned policy has to beat, ascending'
            : 'Days after the failure, ascending'}
          <input
            name="fixed_days"
            required
            pattern="\s*\d+(\s*,\s*\d+)*\s*"
            title="Whole numbers with commas between them, such as 7, 14, 21, 28"
            defaultValue={policy.fixed_days.join(', ')}
          />
        </label>
      )}
      <label>
        Window in days, 1 to 60
        <input {...inputs.window} />
      </label>
      <label>
        Maximum attempts, 1 to 20
        <input {...inputs.tries} />
      </label>
      {kind === 'learned' && merchantId !== undefined && (
        <LearnedTerms merchantId={merchantId} policy={policy} />
      )}
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

/** Days are sent with the kind that they were written for: another one by now may not use them. */
export function daysWithKind(change: { policy?: object }, body: { policy?: object }): object {
  const { policy = {} } = change;
  if (!('fixed_days' in policy) || body.policy === undefined) return change;
  return { ...change, policy: { ...policy, kind: (body.policy as PolicyJson).kind } };
}
