import { useState } from 'react';
import {
  useMerchantEndpoints,
  useRemoveEndpoint,
  useRotateEndpointSecret,
  useTestFurtherEndpoint,
} from '../../api/endpoints.ts';
import type { WebhookEndpointJson } from '../../api/generated/webhook-endpoints.ts';
import { apiPath } from '../../api/request.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { Panel } from '../../parts/panel.tsx';
import { PauseButton } from '../../parts/pause-button.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { EndpointDialog, NewEndpointDialog } from './endpoint-dialog.tsx';
import { TestResult } from './test-result.tsx';

/** Addresses that some of the merchant's events are sent to besides its own webhook address. */
export function FurtherEndpoints({ merchantId }: { readonly merchantId: string }) {
  const [asked, setAsked] = useState<WebhookEndpointJson | 'new'>();
  const [secret, setSecret] = useState<string>();
  const close = (): void => setAsked(undefined);
  return (
    <Panel
      title="Further webhook endpoints"
      aside={
        <div className="filters">
          <ExportButton
            list={apiPath('merchants', merchantId, 'webhook-endpoints')}
            filters={{}}
            of="webhook endpoints"
          />
          <button type="button" className="button" onClick={() => setAsked('new')}>
            Add an endpoint
          </button>
        </div>
      }
    >
      {secret !== undefined && <ShownOnce items={[['Signing secret of the endpoint', secret]]} />}
      <QueryView query={useMerchantEndpoints(merchantId)} what="the endpoints">
        {({ items }) => {
          const further = items.filter(({ id }) => id !== 'primary');
          if (further.length === 0) {
            return (
              <p className="muted">
                None. The webhook endpoint above gets every event; a further one gets the types that
                you choose, under a signing secret of its own.
              </p>
            );
          }
          return further.map((endpoint) => (
            <One
              key={endpoint.id}
              merchantId={merchantId}
              endpoint={endpoint}
              onChange={() => setAsked(endpoint)}
              onSecret={setSecret}
            />
          ));
        }}
      </QueryView>
      {asked === 'new' && (
        <NewEndpointDialog merchantId={merchantId} onClose={close} onSecret={setSecret} />
      )}
      {asked !== undefined && asked !== 'new' && (
        <EndpointDialog merchantId={merchantId} endpoint={asked} onClose={close} />
      )}
    </Panel>
  );
}

function One({
  merchantId,
  endpoint,
  onChange,
  onSecret,
}: {
  readonly merchantId: string;
  readonly endpoint: WebhookEndpointJson;
  readonly onChange: () => void;
  readonly onSecret: (secret: string) => void;
}) {
  const test = useTestFurtherEndpoint(merchantId);
  const { id, url } = endpoint;
  return (
    <section className="setting" aria-label={url}>
      <div>
        <h3 className="breaks">
          {url} {endpoint.paused_at !== undefined && <StatePill state="paused" />}
        </h3>
        <Facts items={factsOf(endpoint)} />
        <div className="filters">
          <ActButton
            isBusy={test.isPending}
            aria-label={`Test: ${url}`}
            onClick={() => test.mutate(id)}
          >
            {test.isPending ? 'Calling…' : 'Test'}
          </ActButton>
          <button type="button" className="button" aria-label={`Change: ${url}`} onClick={onChange}>
            Change
          </button>
          <PauseButton
            merchantId={merchantId}
            endpointId={id}
            url={url}
            isPaused={endpoint.paused_at !== undefined}
          />
          <Rotate merchantId={merchantId} endpoint={endpoint} onSecret={onSecret} />
          <Remove merchantId={merchantId} endpoint={endpoint} />
        </div>
      </div>
      <div role="status" className="setting-result">
        {test.data !== undefined && <TestResult test={test.data} />}
      </div>
      <FormError error={test.error} />
    </section>
  );
}

function factsOf(
  endpoint: WebhookEndpointJson,
): readonly (readonly [string, string | undefined])[] {
  const days = endpoint.pause_after_days;
  return [
    ['Events', endpoint.event_types.join(', ')],
    ['Sent again', endpoint.quick_sends ? 'quickly, then every 12 hours' : 'every 12 hours'],
    ['Headers', endpoint.header_names.length === 0 ? undefined : endpoint.header_names.join(', ')],
    ['Paused by itself', days === undefined ? 'never' : `after ${days} days of failures`],
  ];
}

interface OneProps {
  readonly merchantId: string;
  readonly endpoint: WebhookEndpointJson;
}

function Rotate({
  merchantId,
  endpoint,
  onSecret,
}: OneProps & { readonly onSecret: (secret: string) => void }) {
  const [isAsked, setAsked] = useState(false);
  const rotate = useRotateEndpointSecret(merchantId);
  const close = (): void => {
    rotate.reset();
    setAsked(false);
  };
  return (
    <>
      <button
        type="button"
        className="button"
        aria-label={`Rotate the secret: ${endpoint.url}`}
        onClick={() => setAsked(true)}
      >
        Rotate the secret
      </button>
      <ConfirmDialog
        open={isAsked}
        title="Rotate the signing secret?"
        effect="Issues a new one. The current one keeps signing alongside it for a day, then it ends."
        action="Rotate it"
        isBusy={rotate.isPending}
        error={rotate.error}
        onClose={close}
        onConfirm={() =>
          rotate.mutate(endpoint.id, {
            onSuccess: ({ signing_secret: secret }) => {
              onSecret(secret);
              close();
            },
          })
        }
      />
    </>
  );
}

function Remove({ merchantId, endpoint }: OneProps) {
  const [isAsked, setAsked] = useState(false);
  const remove = useRemoveEndpoint(merchantId);
  const toast = useToast();
  const close = (): void => {
    remove.reset();
    setAsked(false);
  };
  return (
    <>
      <button
        type="button"
        className="button"
        aria-label={`Remove: ${endpoint.url}`}
        onClick={() => setAsked(true)}
      >
        Remove
      </button>
      <ConfirmDialog
        open={isAsked}
        title="Remove the endpoint?"
        effect="Nothing more is sent to it, including pending events; its secrets are deleted. The merchant’s own webhook endpoint still receives every event."
        action="Remove it"
        isDangerous
        isBusy={remove.isPending}
        error={remove.error}
        onClose={close}
        onConfirm={() =>
          remove.mutate(endpoint.id, {
            onSuccess: () => {
              toast('The endpoint is removed.');
              close();
            },
          })
        }
      />
    </>
  );
}
