import { useEndSilence } from '../../api/alerts.ts';
import type { AlertSilenceJson } from '../../api/generated/alerts.ts';
import { useMerchants } from '../../api/merchants.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useViewState } from '../../state/view-state.ts';
import { kindNames } from './kind-names.ts';

/** What nobody is told of, until when and why. */
export function SilenceTable({ silences }: { readonly silences: readonly AlertSilenceJson[] }) {
  const end = useEndSilence();
  const toast = useToast();
  const { merchantId: merchant_id } = useViewState();
  const names = new Map(useMerchants().data?.map(({ id, name }) => [id, name]));
  const columns: readonly Column<AlertSilenceJson>[] = [
    { name: 'Kind', cell: ({ kind }) => (kind === undefined ? 'all' : kindNames[kind]) },
    { name: 'Merchant', cell: ({ merchant_id: id }) => (id && (names.get(id) ?? id)) || 'all' },
    { name: 'Until', cell: (silence) => <Time at={silence.ends_at} byMachine /> },
    { name: 'Why', cell: ({ reason }) => <span className="breaks">{reason}</span> },
    { name: 'By', cell: (silence) => silence.created_by },
    {
      name: 'Action',
      cell: (silence) => (
        <ActButton
          aria-label={`End the silence: ${silence.reason}`}
          isBusy={end.isPending}
          onClick={() =>
            end.mutate(silence.id, { onSuccess: () => toast('The silence has ended.') })
          }
        >
          End
        </ActButton>
      ),
    },
  ];
  return (
    <Panel
      title="Silences"
      aside={<ExportButton list="/api/alert-silences" filters={{ merchant_id }} of="silences" />}
    >
      <FormError error={end.error} />
      <DataTable name="Silences" columns={columns} rows={silences} rowKey={({ id }) => id} />
    </Panel>
  );
}
