import { Choice } from '../../parts/choice.tsx';
import { type Comparison, type Span, spanLabel } from '../../state/comparison.ts';

const options: readonly { readonly value: Comparison; readonly label: string }[] = [
  { value: 'before', label: 'the time before' },
  { value: 'year', label: 'the year before' },
  { value: 'none', label: 'nothing' },
];

/** What the figures stand beside, and which days those are. */
export function ComparisonChoice({
  comparison,
  earlier,
  onChange,
}: {
  readonly comparison: Comparison;
  readonly earlier: Span | undefined;
  readonly onChange: (comparison: string) => void;
}) {
  return (
    <>
      <Choice label="Compare with" value={comparison} options={options} onChange={onChange} />
      {earlier !== undefined && <span className="muted small">{spanLabel(earlier)}</span>}
    </>
  );
}
