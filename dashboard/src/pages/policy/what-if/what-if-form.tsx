import type { FormEvent } from 'react';
import type { PolicyJson } from '../../../api/generated/merchants.ts';
import { useRequestWhatIf } from '../../../api/policies.ts';
import { ActButton } from '../../../parts/act-button.tsx';
import { budgetInputs, budgetOf } from '../../../parts/budget-inputs.ts';
import { Choice } from '../../../parts/choice.tsx';
import { FormError } from '../../../parts/form-error.tsx';
import { Panel } from '../../../parts/panel.tsx';
import { useViewState } from '../../../state/view-state.ts';
import { policyKinds, policyNames } from '../policy-names.ts';

/** The terms to test; begins with those that the merchant has now. */
export function WhatIfForm({
  merchantId,
  policy,
}: {
  readonly merchantId: string;
  readonly policy: PolicyJson;
}) {
  const view = useViewState();
  const request = useRequestWhatIf();
  const inputs = budgetInputs(policy);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const { window_days, max_attempts } = budgetOf(fields);
    const terms = {
      merchant_id: merchantId,
      policy: policyKinds.find((kind) => kind === fields.get('policy')) ?? policy.kind,
      window_days,
      max_attempts: max_attempts,
    };
    request.mutate(terms, { onSuccess: ({ id }) => view.change({ shown: id }) });
  };
  return (
    <Panel title="Terms">
      <form className="terms" onSubmit={submit}>
        <Choice
          label="Policy"
          name="policy"
          defaultValue={policy.kind}
          options={policyKinds.map((kind) => ({
            value: kind,
            label: `${policyNames[kind]}${kind === 'fixed' ? ` ${policy.fixed_days.join(', ')}` : ''}`,
          }))}
        />
        <label className="field">
          <span className="field-name">Window, days</span>
          <input {...inputs.window} />
        </label>
        <label className="field">
          <span className="field-name">Maximum attempts</span>
          <input {...inputs.tries} />
        </label>
        <ActButton type="submit" className="button primary" isBusy={request.isPending}>
          Test it
        </ActButton>
        <FormError error={request.error} />
      </form>
      <p className="muted">
        Fixed days count only inside the window, up to the number of tries. The learned policy is
        trained on half of the payers and tested on the others.
      </p>
    </Panel>
  );
}
