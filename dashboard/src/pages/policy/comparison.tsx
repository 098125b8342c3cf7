import type { UpliftPartJson } from '../../api/generated/overview.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { differenceText, figureText, metrics } from '../../parts/figure-text.ts';

/** Every metric of both arms side by side, with the difference. */
export function Comparison({ whole }: { readonly whole: UpliftPartJson }) {
  const figuresOf = (arm: string) => whole.arms.find((each) => each.arm === arm)?.figures ?? {};
  const [learned, holdout] = [figuresOf('learned'), figuresOf('holdout')];
  // Of what never happened, such as fees that no network took, there is nothing to compare.
  const rows = metrics.filter(([metric]) =>
    [learned, holdout].some((figures) => (figures[metric]?.value ?? 0) !== 0),
  );
  return (
    <DataTable
      name={`Learned and holdout, ${whole.currency}`}
      rows={rows}
      rowKey={([metric]) => metric}
      columns={[
        { name: 'Metric', cell: ([, words]) => words },
        {
          name: 'Learned',
          align: 'right',
          cell: ([metric, , form]) => figureText(learned[metric], form, whole.currency),
        },
        {
          name: 'Holdout',
          align: 'right',
          cell: ([metric, , form]) => figureText(holdout[metric], form, whole.currency),
        },
        {
          name: 'Difference',
          align: 'right',
          cell: ([metric, , form]) =>
            differenceText(whole.difference?.[metric], form, whole.currency),
        },
      ]}
    />
  );
}
