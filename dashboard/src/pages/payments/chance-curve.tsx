import type { ChanceCurveJson, DecisionJson, PaymentJson } from '../../api/generated/payments.ts';
import { localTimes, shortTime } from '../../parts/format-time.ts';
import { formatShare } from '../../parts/percent.ts';
import { nightsOf } from './nights-of.ts';

const width = 720;
const height = 220;
const top = 14;

/**
 * The chance of success over what is left of the window as a line, the payer's nights shaded, the time
 * before a try is allowed coloured, the times that were weighed as dots and the chosen one marked.
 */
export function ChanceCurve({
  curve,
  decision,
  payment,
}: {
  readonly curve: ChanceCurveJson;
  readonly decision: DecisionJson;
  readonly payment: PaymentJson;
}) {
  const from = Date.parse(curve.from);
  const to = Math.max(Date.parse(payment.window_ends_at), from + curve.step_ms);
  const max = Math.max(...curve.chances, decision.chance ?? 0, 0.01);
  const x = (ms: number): number =>
    (Math.min(Math.max(ms - from, 0), to - from) / (to - from)) * width;
  const y = (chance: number): number => height - (chance / max) * (height - top);
  const points = curve.chances.map(
    (chance, step) => `${x(from + step * curve.step_ms).toFixed(1)},${y(chance).toFixed(1)}`,
  );
  const allowed = Date.parse(curve.allowed_at);
  const chosen = decision.at === undefined ? undefined : Date.parse(decision.at);
  const weighed = (decision.candidates ?? []).filter(({ at }) => Date.parse(at) >= from);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <figure className="curve">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words(curve, decision)}>
        {nightsOf({ from, to, offsetMinutes: curve.utc_offset_minutes }).map((night) => (
          <rect
            key={night.from}
            className="night"
            x={x(night.from)}
            width={x(night.to) - x(night.from)}
            y={top}
            height={height - top}
          />
        ))}
        {allowed > from && (
          <rect className="forbidden" x={0} width={x(allowed)} y={top} height={height - top} />
        )}
        <polyline points={points.join(' ')} />
        {weighed.map(({ at, score }) => (
          <circle key={at} cx={x(Date.parse(at))} cy={y(score)} r={3} />
        ))}
        {chosen !== undefined && (
          <>
            <line x1={x(chosen)} x2={x(chosen)} y1={top} y2={height} className="chosen" />
            <circle cx={x(chosen)} cy={y(decision.chance ?? 0)} r={5} />
          </>
        )}
      </svg>
      <div className="bars-ends muted small">
        <span>{shortTime(new Date(from))}</span>
        <span>highest {formatShare(max)}</span>
        <span>{shortTime(new Date(to))}</span>
      </div>
      <figcaption className="muted small">
        The chance of success over the window as the model sees it now, n = {curve.chances.length}{' '}
        steps, {zone}. The dashed line is the chosen time, dots are times that were weighed against
        it, shaded are the payer’s nights
        {allowed > from && `, coloured is what is not allowed: ${localTimes(curve.bound_by ?? '')}`}
        .
      </figcaption>
    </figure>
  );
}

function words(curve: ChanceCurveJson, decision: DecisionJson): string {
  const range = `from ${formatShare(Math.min(...curve.chances))} to ${formatShare(Math.max(...curve.chances))}`;
  const chosen =
    decision.at === undefined || decision.chance === undefined
      ? ''
      : `; chosen is ${shortTime(new Date(decision.at))} with ${formatShare(decision.chance)}`;
  return `The chance of success over the window goes ${range}${chosen}`;
}
