import type { FeeTotalJson } from '../../api/generated/limits.ts';
import { useFees } from '../../api/limits.ts';
import { useMerchants } from '../../api/merchants.ts';
import { apiPath } from '../../api/request.ts';
import { formatCount } from '../../parts/count.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { Figure, Figures } from '../../parts/figure.tsx';
import { formatFee } from '../../parts/format-amount.ts';
import { networkName } from '../../parts/network-name.ts';
import { Panel } from '../../parts/panel.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { useAskedSpan } from '../../state/asked-at.ts';
import { sinceLabel } from '../../state/range.ts';
import { useViewState } from '../../state/view-state.ts';

/** What the networks charge for attempts, and what was avoided, of one merchant. */
export function Fees() {
  const view = useViewState();
  const merchants = useMerchants().data ?? [];
  const only = merchants.length === 1 ? merchants[0]?.id : undefined;
  const merchantId = view.merchantId ?? only;
  const { from } = useAskedSpan(view.range).span;
  return (
    <Panel
      title="Fees of the networks"
      aside={
        <div className="filters">
          <span className="muted">{sinceLabel(view.range)}</span>
          {merchantId !== undefined && (
            <ExportButton
              list={apiPath('merchants', merchantId, 'fees')}
              filters={{ from }}
              of="fees of the networks"
            />
          )}
        </div>
      }
    >
      {merchantId === undefined ? (
        <p className="muted">Fees are kept by merchant: choose one in the bar above.</p>
      ) : (
        <FeesOf merchantId={merchantId} from={from} />
      )}
    </Panel>
  );
}

function FeesOf({
  merchantId,
  from,
}: {
  readonly merchantId: string;
  readonly from: string | undefined;
}) {
  const query = useFees(merchantId, from);
  return (
    <QueryView query={query} what="the fees">
      {({ items, rule_pack_version: version }) =>
        items.length === 0 ? (
          <p className="muted">
            No charge in this period costs a fee, and none was refused to avoid one.
          </p>
        ) : (
          <div className="batch">
            <Figures>
              <Figure
                name="Avoided"
                value={sums(items, ({ avoided }) => avoided)}
                beside="of charges that a rule refused"
              />
              <Figure
                name="Expected"
                value={sums(items, ({ expected }) => expected)}
                beside="of charges that were made"
              />
            </Figures>
            <DataTable
              name="Fees by rule"
              rows={items}
              rowKey={(row) => `${row.network} ${row.rule} ${row.currency}`}
              columns={[
                {
                  name: 'Avoided',
                  align: 'right',
                  sort: (row) => row.avoided,
                  cell: (row) => <Fee value={row.avoided} of={row} />,
                },
                {
                  name: 'Expected',
                  align: 'right',
                  sort: (row) => row.expected,
                  cell: (row) => <Fee value={row.expected} of={row} />,
                },
                { name: 'Network', cell: (row) => networkName(row.network) },
                {
                  name: 'Rule',
                  sort: (row) => row.meaning ?? row.rule,
                  cell: (row) => <Rule of={row} />,
                },
                {
                  name: 'Refused',
                  align: 'right',
                  cell: (row) => formatCount(row.avoided_count),
                },
                { name: 'Made', align: 'right', cell: (row) => formatCount(row.expected_count) },
              ]}
            />
            <p className="muted small">
              Estimates by published figures, rules of edition {version}; acquirers add their own.
            </p>
          </div>
        )
      }
    </QueryView>
  );
}

/** In a sentence, with the code that network-rules.md and the API name it by. */
function Rule({ of: { rule, meaning: words } }: { readonly of: FeeTotalJson }) {
  return (
    <>
      {words} <code className="muted small breaks">{rule}</code>
    </>
  );
}

function Fee({ value, of }: { readonly value: number; readonly of: FeeTotalJson }) {
  return <span className="amount">{formatFee(value, of.currency)}</span>;
}

function sums(items: readonly FeeTotalJson[], pick: (item: FeeTotalJson) => number): string {
  const byCurrency = new Map<string, number>();
  for (const item of items) {
    byCurrency.set(item.currency, (byCurrency.get(item.currency) ?? 0) + pick(item));
  }
  return [...byCurrency].map(([currency, sum]) => formatFee(sum, currency)).join(' + ');
}
