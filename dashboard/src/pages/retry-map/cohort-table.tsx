import type { CohortCurveJson } from '../../api/generated/overview.ts';
import { formatCount } from '../../parts/count.ts';
import { NoValue } from '../../parts/no-value.tsx';
import { percent } from '../../parts/percent.ts';
import { ScrollFrame } from '../../parts/scroll-frame.tsx';

/** The numbers of the curves. */
export function CohortTable({
  curves,
  nameOf,
}: {
  readonly curves: readonly CohortCurveJson[];
  readonly nameOf: (curve: CohortCurveJson) => string;
}) {
  const days = Math.max(...curves.map((curve) => curve.days.length));
  return (
    <details>
      <summary>Show as a table</summary>
      <ScrollFrame>
        <table className="table" aria-label="Recovered by day since the failure">
          <thead>
            <tr>
              <th scope="col">Day</th>
              {curves.map((curve) => (
                <th key={curve.part} scope="col" className="right">
                  {nameOf(curve)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: days }, (_, day) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a day is its place
              <tr key={day}>
                <th scope="row">{formatCount(day)}</th>
                {curves.map(({ part, days: own }) => {
                  const at = own[day];
                  return (
                    <td key={part} className="right">
                      {at === undefined ? (
                        <NoValue />
                      ) : (
                        `${percent(at.recovered, at.payments)} of ${formatCount(at.payments)}`
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
    </details>
  );
}
