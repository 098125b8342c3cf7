import { useState } from 'react';
import type { MerchantJson } from '../../api/generated/merchants.ts';
import { useEditMerchant, useTestEndpoint } from '../../api/merchant-settings.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { EditDialog } from '../../parts/edit-dialog.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { Panel } from '../../parts/panel.tsx';
import { AddressFields } from './address-fields.tsx';
import { AuthFields, authOf } from './auth-fields.tsx';
import { TestResult } from './test-result.tsx';

/** Where the merchant is asked and told, each with a test call. */
export function EndpointsPanel({ merchant }: { readonly merchant: MerchantJson }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <Panel
      title="Addresses"
      aside={
        <button type="button" className="button" onClick={() => setAsked(true)}>
          Change the addresses
        </button>
      }
    >
      <Endpoint
        merchant={merchant}
        endpoint="webhook"
        name="Webhook endpoint"
        url={merchant.webhook_url}
        effect={`${sendsAgain(merchant)} The test is a signed webhook of the type “test”, which names no payment.`}
      />
      <Endpoint
        merchant={merchant}
        endpoint="retry_status"
        name="Retry-status endpoint"
        url={merchant.retry_status_url}
        effect="The test asks whether to retry the invoice recoup_endpoint_test, which does not exist."
      />
      <ChangeDialog merchant={merchant} open={isAsked} onClose={() => setAsked(false)} />
    </Panel>
  );
}

function Endpoint({
  merchant,
  endpoint,
  name,
  url,
  effect,
}: {
  readonly merchant: MerchantJson;
  readonly endpoint: string;
  readonly name: string;
  readonly url: string;
  readonly effect: string;
}) {
  const test = useTestEndpoint(merchant.id);
  return (
    <section className="setting" aria-label={name}>
      <div>
        <h3>{name}</h3>
        <p className="breaks">{url}</p>
        <p className="muted small">{effect}</p>
      </div>
      <ActButton
        isBusy={test.isPending}
        aria-label={`Test: ${name}`}
        onClick={() => test.mutate(endpoint)}
      >
        {test.isPending ? 'Calling…' : 'Test'}
      </ActButton>
      <div role="status" className="setting-result">
        {test.data !== undefined && <TestResult test={test.data} />}
      </div>
      <FormError error={test.error} />
    </section>
  );
}

function sendsAgain({ webhook_quick_sends: isQuick }: MerchantJson): string {
  const rhythm = 'every 12 hours for 7 days';
  return isQuick
    ? `What it does not accept is sent again after 5 s, 1 min, 10 min and 1 h, then ${rhythm}.`
    : `What it does not accept is sent again ${rhythm}.`;
}

function ChangeDialog({
  merchant,
  open,
  onClose,
}: {
  readonly merchant: MerchantJson;
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const edit = useEditMerchant(merchant.id);
  return (
    <EditDialog
      open={open}
      title="Change the addresses?"
      effect="Takes effect with the next final check and the next webhook, including those under way."
      action="Change them"
      kept={merchant}
      edit={edit}
      bodyOf={(fields) => ({
        webhook_url: String(fields.get('webhook_url')).trim(),
        retry_status_url: String(fields.get('retry_status_url')).trim(),
        webhook_quick_sends: fields.get('webhook_quick_sends') === 'on',
        webhook_pause_after_days: Number(fields.get('webhook_pause_after_days')),
        ...authOf(fields),
      })}
      done="The addresses are changed. Test them."
      onClose={onClose}
    >
      <AddressFields webhookUrl={merchant.webhook_url} retryStatusUrl={merchant.retry_status_url} />
      <label className="field">
        <input
          name="webhook_quick_sends"
          type="checkbox"
          defaultChecked={merchant.webhook_quick_sends}
        />
        <span>Also send failed webhooks again after 5 s, 1 min, 10 min and 1 h</span>
      </label>
      <label>
        Pause the webhook endpoint after this many days of nothing but failures (empty: never)
        <input
          name="webhook_pause_after_days"
          type="number"
          min={1}
          max={30}
          defaultValue={merchant.webhook_pause_after_days ?? ''}
        />
      </label>
      <AuthFields standing={merchant.auth.type} />
    </EditDialog>
  );
}
