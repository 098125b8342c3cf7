import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import type { CreatedMerchantJson } from '../../api/generated/merchants.ts';
import type { SupportedPspJson } from '../../api/generated/psp-connections.ts';
import { useCreateMerchant, usePsps } from '../../api/merchant-settings.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { Panel } from '../../parts/panel.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { useViewState } from '../../state/view-state.ts';
import { AddressFields } from './address-fields.tsx';
import { AuthFields, authOf } from './auth-fields.tsx';
import { PolicyFields, policyOf, standardPolicy } from './policy/policy-fields.tsx';
import { PspFields, pspOf } from './psp-fields.tsx';

/** Creates a merchant; then its credentials stand here, this once. */
export function NewMerchant() {
  const [created, setCreated] = useState<CreatedMerchantJson>();
  const psps = usePsps();
  if (created !== undefined) return <Created merchant={created} />;
  return (
    <>
      <div className="page-head">
        <h1>Create a merchant</h1>
      </div>
      <QueryView query={psps} what="the processors" rows={8}>
        {({ items }) => <Form psps={items} onCreated={setCreated} />}
      </QueryView>
    </>
  );
}

function Form({
  psps,
  onCreated,
}: {
  readonly psps: readonly SupportedPspJson[];
  readonly onCreated: (merchant: CreatedMerchantJson) => void;
}) {
  const create = useCreateMerchant();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const body = {
      name: String(fields.get('name')),
      webhook_url: String(fields.get('webhook_url')).trim(),
      retry_status_url: String(fields.get('retry_status_url')).trim(),
      ...authOf(fields),
      psps: [pspOf(fields)],
      policy: policyOf(fields),
      end_of_dunning: fields.get('end_of_dunning') === 'on',
    };
    create.mutate(body, { onSuccess: onCreated });
  };
  return (
    <Panel title="Settings">
      <form className="form narrow" onSubmit={submit}>
        <label>
          Name
          <input name="name" required maxLength={200} placeholder="Acme" />
        </label>
        <AddressFields />
        <AuthFields />
        <PspFields psps={psps} />
        <PolicyFields policy={standardPolicy} />
        <label className="field">
          <input name="end_of_dunning" type="checkbox" />
          <span>Send a webhook when a recovery ends, too</span>
        </label>
        <FormError error={create.error} />
        <ActButton type="submit" className="button primary" isBusy={create.isPending}>
          {create.isPending ? 'Asking the processor…' : 'Create the merchant'}
        </ActButton>
      </form>
    </Panel>
  );
}

function Created({ merchant }: { readonly merchant: CreatedMerchantJson }) {
  const view = useViewState();
  return (
    <>
      <div className="page-head">
        <h1>{merchant.name} is there</h1>
      </div>
      <ShownOnce
        items={[
          ['Recovery API key, for x-api-key', merchant.recovery_api_key],
          ['Signing secret, to verify webhooks', merchant.signing_secret],
          ['Disputes API, user name', merchant.disputes_username],
          ['Disputes API, password', merchant.disputes_password],
        ]}
      />
      <p>
        Next, <Link href={view.href(`/merchants/${merchant.id}`)}>test its addresses</Link>.
      </p>
    </>
  );
}
