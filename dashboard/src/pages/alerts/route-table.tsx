import { useRemoveRoute } from '../../api/alerts.ts';
import type { AlertRouteJson, ListAlertChannelsAnswer } from '../../api/generated/alerts.ts';
import { useMerchants } from '../../api/merchants.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { kindNames, urgencies } from './kind-names.ts';

/** Which alerts go to which channel. */
export function RouteTable({ channels, routes }: ListAlertChannelsAnswer) {
  const remove = useRemoveRoute();
  const toast = useToast();
  const merchants = new Map(useMerchants().data?.map(({ id, name }) => [id, name]));
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  const nameOf = (route: AlertRouteJson): string => names.get(route.channel_id) ?? route.channel_id;
  const columns: readonly Column<AlertRouteJson>[] = [
    { name: 'To', cell: (route) => <span className="breaks">{nameOf(route)}</span> },
    {
      name: 'Urgency',
      cell: ({ severities }) => severities?.map((one) => urgencies[one]).join(', ') ?? 'all',
    },
    {
      name: 'Kinds',
      cell: ({ kinds }) => kinds?.map((kind) => kindNames[kind]).join(', ') ?? 'all',
    },
    {
      name: 'About',
      cell: (route) => route.merchants?.map((id) => merchants.get(id) ?? id).join(', ') ?? 'all',
    },
    { name: 'Again after', cell: ({ repeat_minutes: minutes }) => afterWords(minutes) },
    { name: 'Its end', cell: (route) => (route.tells_resolved ? 'told' : 'not told') },
    {
      name: 'Action',
      cell: (route) => (
        <ActButton
          aria-label={`Remove the route to ${nameOf(route)}`}
          isBusy={remove.isPending}
          onClick={() =>
            remove.mutate(route.id, { onSuccess: () => toast('The route is removed.') })
          }
        >
          Remove
        </ActButton>
      ),
    },
  ];
  return (
    <>
      <FormError error={remove.error} />
      <DataTable name="Routes" columns={columns} rows={routes} rowKey={({ id }) => id} />
    </>
  );
}

function afterWords(minutes: number): string {
  if (minutes % 60 !== 0) return `${minutes} min`;
  return minutes === 60 ? '1 hour' : `${minutes / 60} hours`;
}
