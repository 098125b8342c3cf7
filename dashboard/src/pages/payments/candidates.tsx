import type { DecisionJson, PaymentJson } from '../../api/generated/payments.ts';
import { shortTime } from '../../parts/format-time.ts';
import { formatShare } from '../../parts/percent.ts';

/**
 * The times that the policy weighed, as a picture over the window with the chosen one marked, and as a
 * table. A schedule weighs one time and has nothing to draw.
 */
export function Candidates({
  decision,
  payment,
}: {
  readonly decision: DecisionJson;
  readonly payment: PaymentJson;
}) {
  const { decided_at: decidedAt } = decision;
  const candidates = [...(decision.candidates ?? [])].sort((a, b) => a.at.localeCompare(b.at));
  if (candidates.length < 2 || decidedAt === undefined) return null;
  const from = Date.parse(decidedAt);
  const to = Date.parse(payment.window_ends_at);
  const max = Math.max(...candidates.map(({ score }) => score), 0.01);
  const x = (at: string): number => ((Date.parse(at) - from) / (to - from)) * width;
  const y = (score: number): number => height - (score / max) * (height - 12);
  const chosen = candidates.find(({ at }) => at === decision.at);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <figure className="curve">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words(candidates, chosen)}>
        {candidates.map(({ at, score }) => (
          <g key={at}>
            <line x1={x(at)} x2={x(at)} y1={y(score)} y2={height} />
            <circle cx={x(at)} cy={y(score)} r={at === decision.at ? 5 : 3} />
          </g>
        ))}
        {chosen !== undefined && (
          <line x1={x(chosen.at)} x2={x(chosen.at)} y1={0} y2={height} className="chosen" />
        )}
      </svg>
      <figcaption className="muted small">
        The best times over the window and the chance of success at each, n = {candidates.length},{' '}
        {zone}; the dashed line marks the chosen one.
      </figcaption>
      <WeighedTimes candidates={candidates} />
    </figure>
  );
}

/** The times that were weighed, with their chances. */
export function WeighedTimes({
  candidates,
}: {
  readonly candidates: NonNullable<DecisionJson['candidates']>;
}) {
  return (
    <details>
      <summary>The times that were weighed</summary>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col" className="right">
              Chance
            </th>
          </tr>
        </thead>
        <tbody>
          {candidates.map(({ at, score }) => (
            <tr key={at}>
              <td>{shortTime(new Date(at))}</td>
              <td className="right">{formatShare(score, 1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const width = 640;
const height = 120;

function words(
  candidates: readonly { readonly at: string; readonly score: number }[],
  chosen: { readonly at: string; readonly score: number } | undefined,
): string {
  const scores = candidates.map(({ score }) => score);
  const range = `from ${formatShare(Math.min(...scores))} to ${formatShare(Math.max(...scores))}`;
  const picked =
    chosen === undefined
      ? ''
      : `; chosen is ${shortTime(new Date(chosen.at))} with ${formatShare(chosen.score)}`;
  return `The chance of success at the best times of the window goes ${range}${picked}`;
}
