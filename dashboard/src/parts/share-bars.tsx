import { formatCount } from './count.ts';
import { formatShare } from './percent.ts';
import { ScrollFrame } from './scroll-frame.tsx';

/** Success of one thing, such as a decline code. */
export interface ShareRow {
  readonly name: string;
  readonly tries: number;
  readonly successes: number;
}

/** Shares as a table with a bar for each, and its n. */
export function ShareBars({
  label,
  head,
  rows,
}: {
  readonly label: string;
  readonly head: string;
  readonly rows: readonly ShareRow[];
}) {
  return (
    <ScrollFrame className="share-bars">
      <table className="table" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col">Success</th>
            <th scope="col" className="right">
              n
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, tries, successes }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <span className="share">
                  <span
                    className="share-bar"
                    aria-hidden="true"
                    style={{ width: `${(successes / tries) * 60}%` }}
                  />
                  {formatShare(successes / tries, 1)}
                </span>
              </td>
              <td className="right">{formatCount(tries)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}
