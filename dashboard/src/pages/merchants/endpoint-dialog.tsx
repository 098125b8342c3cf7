import { useCreateEndpoint, useEditEndpoint } from '../../api/endpoints.ts';
import type { EventTypeJson, WebhookEndpointJson } from '../../api/generated/webhook-endpoints.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { EditDialog } from '../../parts/edit-dialog.tsx';
import { eventTypes } from '../../parts/event-types.ts';
import { AuthFields, authOf } from './auth-fields.tsx';

interface DialogProps {
  readonly merchantId: string;
  readonly onClose: () => void;
}

/** Asks for the settings of a new endpoint. */
export function NewEndpointDialog({
  merchantId,
  onClose,
  onSecret,
}: DialogProps & { readonly onSecret: (secret: string) => void }) {
  const create = useCreateEndpoint(merchantId);
  return (
    <ConfirmDialog
      open
      title="Add a webhook endpoint"
      effect="It receives events of the types below from now on. Its signing secret is shown once."
      action="Add it"
      isBusy={create.isPending}
      error={create.error}
      onClose={onClose}
      onConfirm={(fields) =>
        create.mutate(bodyOf(fields, true), {
          onSuccess: ({ signing_secret: secret }) => {
            onSecret(secret);
            onClose();
          },
        })
      }
    >
      <EndpointFields />
    </ConfirmDialog>
  );
}

/** Asks for other settings of an endpoint that there is. */
export function EndpointDialog({
  merchantId,
  endpoint,
  onClose,
}: DialogProps & { readonly endpoint: WebhookEndpointJson }) {
  return (
    <EditDialog
      open
      title="Change the endpoint?"
      effect="Takes effect with the next send; its types with the next event."
      action="Change it"
      kept={endpoint}
      edit={useEditEndpoint(merchantId, endpoint.id)}
      bodyOf={(fields) => bodyOf(fields, false)}
      done="The endpoint is changed. Test it."
      onClose={onClose}
    >
      <EndpointFields endpoint={endpoint} />
    </EditDialog>
  );
}

function EndpointFields({ endpoint }: { readonly endpoint?: WebhookEndpointJson }) {
  return (
    <>
      <label>
        Address
        <input name="url" type="url" required maxLength={2048} defaultValue={endpoint?.url ?? ''} />
      </label>
      <fieldset className="fields">
        <legend>Events</legend>
        {eventTypes.map((type) => (
          <label key={type} className="field">
            <input
              name="event_types"
              type="checkbox"
              value={type}
              defaultChecked={endpoint?.event_types.includes(type) ?? type === 'retry_result'}
            />
            <span>{type}</span>
          </label>
        ))}
      </fieldset>
      <AuthFields {...(endpoint !== undefined && { standing: endpoint.auth.type })} />
      <HeadersField endpoint={endpoint} />
      <label className="field">
        <input name="quick_sends" type="checkbox" defaultChecked={endpoint?.quick_sends ?? true} />
        <span>Also send failed webhooks again after 5 s, 1 min, 10 min and 1 h</span>
      </label>
      <label>
        Pause it after this many days of nothing but failures (empty: never)
        <input
          name="pause_after_days"
          type="number"
          min={1}
          max={30}
          defaultValue={endpoint === undefined ? 5 : (endpoint.pause_after_days ?? '')}
        />
      </label>
    </>
  );
}

function HeadersField({ endpoint }: { readonly endpoint: WebhookEndpointJson | undefined }) {
  const names = endpoint?.header_names ?? [];
  const standing =
    names.length === 0 ? '' : `; empty keeps ${names.join(', ')}, and a single - removes them`;
  return (
    <label>
      Headers, one “name: value” a line{standing}
      <textarea name="headers" rows={2} spellCheck={false} autoComplete="off" />
    </label>
  );
}

function bodyOf(fields: FormData, isNew: boolean): object {
  const days = String(fields.get('pause_after_days') ?? '').trim();
  return {
    url: String(fields.get('url')).trim(),
    event_types: fields.getAll('event_types') as EventTypeJson[],
    quick_sends: fields.get('quick_sends') === 'on',
    pause_after_days: Number(days),
    ...authOf(fields),
    ...headersOf(String(fields.get('headers') ?? '').trim(), isNew),
  };
}

function headersOf(text: string, isNew: boolean): { headers?: Readonly<Record<string, string>> } {
  if (text === '') return isNew ? { headers: {} } : {};
  if (text === '-') return { headers: {} };
  const pairs = text.split('\n').map((line) => {
    const [name = '', ...value] = line.split(':');
    return [name.trim(), value.join(':').trim()] as const;
  });
  return { headers: Object.fromEntries(pairs.filter(([name]) => name !== '')) };
}
