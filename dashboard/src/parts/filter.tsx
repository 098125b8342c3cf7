import { useViewState } from '../state/view-state.ts';
import { stateName } from './state-pill.tsx';

/** A choice that narrows a list; it stands in the address under `param`. */
export function Filter({
  name,
  param,
  values,
}: {
  readonly name: string;
  readonly param: string;
  readonly values: readonly string[];
}) {
  const view = useViewState();
  return (
    <label className="field">
      <span className="field-name">{name}</span>
      <select
        value={view.param(param) ?? ''}
        onChange={(event) => view.change({ [param]: event.target.value, cursor: undefined })}
      >
        <option value="">Any</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {stateName(value)}
          </option>
        ))}
      </select>
    </label>
  );
}
