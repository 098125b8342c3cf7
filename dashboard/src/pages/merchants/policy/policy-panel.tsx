import { useState } from 'react';
import type { MerchantJson } from '../../../api/generated/merchants.ts';
import { useEditMerchant } from '../../../api/merchant-settings.ts';
import { count } from '../../../parts/count.ts';
import { EditDialog } from '../../../parts/edit-dialog.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { Panel } from '../../../parts/panel.tsx';
import { daysWithKind, PolicyFields, policyOf, retryTimes } from './policy-fields.tsx';

/** When this merchant's failed payments are retried. */
export function PolicyPanel({ merchant }: { readonly merchant: MerchantJson }) {
  const [isAsked, setAsked] = useState(false);
  const edit = useEditMerchant(merchant.id);
  const { policy } = merchant;
  return (
    <Panel
      title="Retries"
      aside={
        <button type="button" className="button" onClick={() => setAsked(true)}>
          Change the retries
        </button>
      }
    >
      <Facts
        items={[
          ['When', retryTimes[policy.kind]],
          [
            policy.kind === 'learned' ? 'Days that it has to beat' : 'Days',
            policy.kind === 'even' ? undefined : policy.fixed_days.join(', '),
          ],
          ['Window', count(policy.window_days, 'day', 'days')],
          ['Maximum attempts', policy.max_attempts],
          ['Webhook at the end', merchant.end_of_dunning ? 'yes' : 'no'],
          ['Webhook when a customer has to act', merchant.customer_action_events ? 'yes' : 'no'],
          ['Page for these customers', merchant.customer_page_url],
        ]}
      />
      <EditDialog
        open={isAsked}
        title="Change the retries?"
        effect="Takes effect with the next plan of each payment. Payments that are already open keep their window and number of tries."
        action="Change them"
        kept={merchant}
        edit={edit}
        bodyOf={settingsOf}
        withOthers={daysWithKind}
        done="The retries are changed."
        onClose={() => setAsked(false)}
      >
        <PolicyFields policy={policy} merchantId={merchant.id} />
        <label className="field">
          <input name="end_of_dunning" type="checkbox" defaultChecked={merchant.end_of_dunning} />
          <span>Also send a webhook when a recovery ends</span>
        </label>
        <label className="field">
          <input
            name="customer_action_events"
            type="checkbox"
            defaultChecked={merchant.customer_action_events}
          />
          <span>Also send a webhook when a payment waits for its customer</span>
        </label>
        <label>
          <span>Page for these customers, with {'{token}'} in it (empty: none)</span>
          <input
            name="customer_page_url"
            type="text"
            inputMode="url"
            defaultValue={merchant.customer_page_url ?? ''}
          />
        </label>
      </EditDialog>
    </Panel>
  );
}

function settingsOf(fields: FormData): object {
  return {
    policy: policyOf(fields),
    end_of_dunning: fields.get('end_of_dunning') === 'on',
    customer_action_events: fields.get('customer_action_events') === 'on',
    customer_page_url: String(fields.get('customer_page_url') ?? '').trim(),
  };
}
