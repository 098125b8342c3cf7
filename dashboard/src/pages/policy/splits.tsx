import type { FigureJson, UpliftPartJson } from '../../api/generated/overview.ts';
import { Choice } from '../../parts/choice.tsx';
import { formatCount } from '../../parts/count.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { declineClassLabels } from '../../parts/decline-classes.ts';
import { differenceText, figureText } from '../../parts/figure-text.ts';
import { useViewState } from '../../state/view-state.ts';
import { Interval } from './interval.tsx';

const splits: readonly (readonly [dimension: string, words: string])[] = [
  ['decline_class', 'decline class'],
  ['method', 'method'],
  ['cohort', 'week of the failure'],
];

/** Where the difference comes from: the recovery rate by part, each with its interval drawn. */
export function Splits({ parts }: { readonly parts: readonly UpliftPartJson[] }) {
  const view = useViewState();
  const chosen = view.param('split') ?? 'decline_class';
  const rows = parts.filter(
    ({ dimension, arms }) =>
      dimension === chosen && arms.some(({ arm: of }) => of === 'learned' || of === 'holdout'),
  );
  const max = Math.max(0.01, ...rows.flatMap(({ difference }) => ends(difference?.recovered_rate)));
  const arm = (row: UpliftPartJson, name: string) => row.arms.find((each) => each.arm === name);
  return (
    <>
      <Choice
        label="Split by"
        value={chosen}
        options={splits.map(([value, label]) => ({ value, label }))}
        onChange={(split) => view.change({ split })}
      />
      <DataTable
        name="Recovery rate by part"
        rows={rows}
        rowKey={(row) => row.part}
        columns={[
          { name: 'Part', cell: (row) => partName(row) },
          {
            name: 'Learned',
            align: 'right',
            cell: (row) => rateText(arm(row, 'learned')),
          },
          {
            name: 'Holdout',
            align: 'right',
            cell: (row) => rateText(arm(row, 'holdout')),
          },
          {
            name: 'Difference',
            align: 'right',
            cell: (row) => differenceText(row.difference?.recovered_rate, 'share'),
          },
          {
            name: 'Interval',
            cell: (row) => (
              <Interval
                figure={row.difference?.recovered_rate}
                max={max}
                of="difference"
                label={differenceText(row.difference?.recovered_rate, 'share')}
              />
            ),
          },
        ]}
      />
    </>
  );
}

function partName({ part }: UpliftPartJson): string {
  return declineClassLabels[part] ?? (part.replaceAll('_', ' ') || 'not known');
}

function rateText(arm: UpliftPartJson['arms'][number] | undefined): string {
  if (arm === undefined) return 'none';
  return `${figureText(arm.figures.recovered_rate, 'share')}, n = ${formatCount(arm.payments)}`;
}

function ends(figure: FigureJson | undefined): readonly number[] {
  if (figure === undefined) return [];
  const { value, low = value, high = value } = figure;
  return [low, value, high].map(Math.abs);
}
