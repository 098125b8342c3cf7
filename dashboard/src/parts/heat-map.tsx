import type { CSSProperties } from 'react';
import { formatCount } from './count.ts';
import { fewTries, type HeatCell, heatOf, shareOf } from './heat-of.ts';
import { formatShare } from './percent.ts';
import { ScrollFrame } from './scroll-frame.tsx';
import { Tip } from './tip.tsx';

/**
 * Success by two dimensions as a table that is coloured: each cell holds its percentage, and its n on
 * hover and for those who hear it. The colour runs from none to the highest share on the map.
 */
export function HeatMap({
  name,
  corner,
  rows,
  columns,
  cell,
}: {
  readonly name: string;
  /** What the rows and columns are, such as `Weekday / hour`. */
  readonly corner: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly cell: (row: number, column: number) => HeatCell;
}) {
  const cells = rows.map((_, row) => columns.map((_, column) => cell(row, column)));
  const max = Math.max(...cells.flat().map(shareOf), 0.01);
  return (
    <ScrollFrame className="heat-frame">
      <table className="heat" aria-label={name}>
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row}>
              <th scope="row">{row}</th>
              {columns.map((column, place) => (
                <Cell key={column} of={cells[index]?.[place] ?? none} max={max} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

const none: HeatCell = { tries: 0, successes: 0 };

function Cell({ of, max }: { readonly of: HeatCell; readonly max: number }) {
  const { tries, successes } = of;
  if (tries === 0) return <td className="heat-none">·</td>;
  const share = shareOf(of);
  const words = `${formatShare(share, 1)}, ${formatCount(successes)} of ${formatCount(tries)}`;
  const isFew = tries < fewTries;
  return (
    <Tip text={words}>
      <td
        className={isFew ? 'heat-few' : 'heat-cell'}
        style={{ '--heat': `${heatOf(of, max)}%` } as CSSProperties}
      >
        {Math.round(share * 100)}
        <span className="unseen"> percent, n = {formatCount(tries)}</span>
      </td>
    </Tip>
  );
}
