import type { FigureJson } from '../../api/generated/overview.ts';

const width = 160;
const height = 16;
const margin = 6;

/**
 * A figure and the interval around it, to scale with those of the other rows: of a difference the
 * dashed line in the middle is no difference, of a share the one at the left is none.
 */
export function Interval({
  figure,
  max,
  of,
  label,
}: {
  readonly figure: FigureJson | undefined;
  /** The largest value that any row shows. */
  readonly max: number;
  readonly of: 'difference' | 'share';
  readonly label: string;
}) {
  if (figure === undefined) return null;
  const { value, low = value, high = value } = figure;
  const zero = of === 'difference' ? width / 2 : margin;
  const x = (share: number): number => zero + (share / max) * (width - zero - margin);
  return (
    <svg className="interval" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <line className="interval-zero" x1={zero} x2={zero} y1={0} y2={height} />
      <line className="interval-line" x1={x(low)} x2={x(high)} y1={height / 2} y2={height / 2} />
      <circle cx={x(value)} cy={height / 2} r={4} />
    </svg>
  );
}
