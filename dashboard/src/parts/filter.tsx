import { useViewState } from '../state/view-state.ts';
import { Choice } from './choice.tsx';
import { stateName } from './state-pill.tsx';

/** A choice that narrows a list; it stands in the address under `param`. */
export function Filter({
  name,
  param,
  values,
  label = stateName,
}: {
  readonly name: string;
  readonly param: string;
  readonly values: readonly string[];
  /** A value in words. */
  readonly label?: (value: string) => string;
}) {
  const view = useViewState();
  return (
    <Choice
      label={name}
      value={view.param(param) ?? ''}
      options={[
        { value: '', label: 'Any' },
        ...values.map((value) => ({ value, label: label(value) })),
      ]}
      onChange={(value) => view.change({ [param]: value, cursor: undefined })}
    />
  );
}
