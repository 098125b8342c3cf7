import { useAddRoute } from '../../api/alerts.ts';
import type { AddAlertRouteBody, AlertChannelJson } from '../../api/generated/alerts.ts';
import type { AlertKindJson } from '../../api/generated/overview.ts';
import { useMerchants } from '../../api/merchants.ts';
import { Choice } from '../../parts/choice.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { kindNames } from './kind-names.ts';

const severities = [
  { value: '', label: 'all' },
  { value: 'page', label: 'what has to be looked at now' },
  { value: 'ticket', label: 'what can wait for the day' },
];

const repeats = [
  { value: '60', label: 'every hour' },
  { value: '240', label: 'every 4 hours' },
  { value: '1440', label: 'every day' },
];

const ends = [
  { value: 'yes', label: 'is told' },
  { value: 'no', label: 'is not told' },
];

/** Asks which alerts go to which channel. */
export function AddRoute({
  open,
  channels,
  onClose,
}: {
  readonly open: boolean;
  readonly channels: readonly AlertChannelJson[];
  readonly onClose: () => void;
}) {
  const add = useAddRoute();
  const merchants = useMerchants().data ?? [];
  const toast = useToast();
  const close = (): void => {
    add.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title="Add a route?"
      effect="Alerts that match every condition are sent there. An alert that matches several routes to a channel is sent once."
      action="Add"
      isBusy={add.isPending}
      error={add.error}
      onClose={close}
      onConfirm={(fields) =>
        add.mutate(
          { channelId: String(fields.get('channel')), route: routeOf(fields) },
          {
            onSuccess: () => {
              toast('The route is added.');
              close();
            },
          },
        )
      }
    >
      <Choice
        label="To"
        form="above"
        name="channel"
        options={channels.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Choice label="Urgency" form="above" name="severity" options={severities} />
      <fieldset className="fields">
        <legend>Kinds (none: all)</legend>
        {Object.entries(kindNames).map(([kind, label]) => (
          <label key={kind} className="field">
            <input name="kind" type="checkbox" value={kind} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      <Choice
        label="About"
        form="above"
        name="merchant"
        options={[
          { value: '', label: 'all merchants and the service' },
          ...merchants.map(({ id, name }) => ({ value: id, label: `${name} alone` })),
        ]}
      />
      <Choice
        label="Again while it lasts"
        form="above"
        name="repeat"
        options={repeats}
        defaultValue="240"
      />
      <Choice label="Its end" form="above" name="resolved" options={ends} />
    </ConfirmDialog>
  );
}

function routeOf(fields: FormData): AddAlertRouteBody {
  const text = (name: string): string => String(fields.get(name) ?? '');
  const [severity, merchant] = [text('severity'), text('merchant')];
  const kinds = fields.getAll('kind') as AlertKindJson[];
  return {
    ...(severity === '' ? {} : { severities: [severity as 'page' | 'ticket'] }),
    ...(kinds.length > 0 && { kinds }),
    ...(merchant === '' ? {} : { merchants: [merchant] }),
    repeat_minutes: Number(text('repeat')),
    tells_resolved: text('resolved') === 'yes',
  };
}
