import { Select } from '@base-ui/react/select';
import { Icon } from './icon.tsx';

export interface Option {
  readonly value: string;
  readonly label: string;
}

/** One of a few. In a form it is a field by its `name`; a filter keeps what is chosen elsewhere. */
export function Choice({
  label,
  options,
  name,
  value,
  defaultValue,
  onChange,
  form = 'beside',
}: {
  readonly label: string;
  readonly options: readonly Option[];
  readonly name?: string;
  readonly value?: string;
  readonly defaultValue?: string;
  readonly onChange?: (value: string) => void;
  /** Where the label stands; `unseen` ones are heard. */
  readonly form?: 'beside' | 'above' | 'unseen';
}) {
  return (
    <div className={`choice choice-${form}`}>
      <Select.Root
        items={options}
        onValueChange={(next: string | null) => onChange?.(next ?? '')}
        {...(name === undefined ? {} : { name })}
        {...(value === undefined
          ? { defaultValue: defaultValue ?? options[0]?.value ?? '' }
          : { value })}
      >
        <Select.Label className="field-name">{label}</Select.Label>
        <Select.Trigger className="choice-trigger">
          <Select.Value className="choice-value" />
          <Select.Icon className="choice-icon">
            <Icon name="open" />
          </Select.Icon>
        </Select.Trigger>
        <Select.Portal>
          <Select.Positioner
            className="above"
            sideOffset={4}
            alignItemWithTrigger={false}
            role="region"
            aria-label={`Choices: ${label}`}
          >
            <Select.Popup className="popup">
              <Select.List className="options">
                {options.map((option) => (
                  <Select.Item key={option.value} value={option.value} className="option">
                    <Select.ItemText>{option.label}</Select.ItemText>
                    <Select.ItemIndicator>
                      <Icon name="chosen" />
                    </Select.ItemIndicator>
                  </Select.Item>
                ))}
              </Select.List>
            </Select.Popup>
          </Select.Positioner>
        </Select.Portal>
      </Select.Root>
    </div>
  );
}
