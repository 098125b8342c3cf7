import { rangeLabels, ranges, useViewState } from '../state/view-state.ts';

/** Which time is looked at; kept in the address. */
export function RangeSelect() {
  const { range, change } = useViewState();
  return (
    <label className="field">
      <span className="field-name">Time</span>
      <select
        value={range}
        onChange={(event) => change({ range: event.target.value, cursor: undefined })}
      >
        {ranges.map((each) => (
          <option key={each} value={each}>
            {rangeLabels[each]}
          </option>
        ))}
      </select>
    </label>
  );
}
