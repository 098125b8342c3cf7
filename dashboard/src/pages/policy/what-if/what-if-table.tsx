import type { ClaimJson, WhatIfJson } from '../../../api/generated/models.ts';
import type { FigureJson } from '../../../api/generated/overview.ts';
import { formatCount } from '../../../parts/count.ts';
import { DataTable } from '../../../parts/data-table.tsx';
import { figureText } from '../../../parts/figure-text.ts';
import { Panel } from '../../../parts/panel.tsx';
import { formatShare } from '../../../parts/percent.ts';
import { RowLink } from '../../../parts/row-link.tsx';
import { StatePill } from '../../../parts/state-pill.tsx';
import { Time } from '../../../parts/time.tsx';
import { useViewState } from '../../../state/view-state.ts';
import { Interval } from '../interval.tsx';
import { termsText } from '../policy-names.ts';

/** All terms that were tested, side by side. */
export function WhatIfTable({
  whatIfs,
  shown,
}: {
  readonly whatIfs: readonly WhatIfJson[];
  readonly shown: WhatIfJson;
}) {
  const view = useViewState();
  const max = Math.max(0.01, ...whatIfs.map(({ result }) => highOf(result?.next_try.snips)));
  return (
    <Panel title="All that was tested">
      <DataTable
        name="What-ifs"
        rows={whatIfs}
        rowKey={({ id }) => id}
        columns={[
          {
            name: 'Terms',
            cell: (row) => (
              <div className={row.id === shown.id ? 'tested shown' : 'tested'}>
                <RowLink href={view.href('/policy/what-if', { shown: row.id })}>
                  {termsText(row)}
                </RowLink>
              </div>
            ),
          },
          {
            name: 'Recovers',
            align: 'right',
            cell: ({ result }) => claimText(result?.payment),
          },
          {
            name: 'Next try succeeds',
            align: 'right',
            cell: ({ result }) => claimText(result?.next_try),
          },
          {
            name: `Next try, ${formatShare(0.95)}`,
            cell: ({ result }) => (
              <Interval
                figure={result?.next_try.snips}
                max={max}
                of="share"
                label={claimText(result?.next_try)}
              />
            ),
          },
          {
            name: 'Tested',
            cell: ({ state, completed_at: at }) =>
              at === undefined ? <StatePill state={state} /> : <Time at={at} />,
          },
        ]}
      />
    </Panel>
  );
}

function highOf(figure: FigureJson | undefined): number {
  return figure === undefined ? 0 : (figure.high ?? figure.value);
}

function claimText(claim: ClaimJson | undefined): string {
  if (claim === undefined) return '';
  const { snips, n, effective_sample: sample } = claim;
  if (snips === undefined) return 'not claimed';
  return `${figureText(snips, 'share')}, n = ${formatCount(n)}, ess ${formatCount(Math.round(sample ?? 0))}`;
}
