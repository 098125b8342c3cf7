import { Combobox } from '@base-ui/react/combobox';
import { useMerchants } from '../api/merchants.ts';
import type { Option } from './choice.tsx';
import { Icon } from './icon.tsx';

/** One of the merchants, found by its name; `none` is what stands for no merchant. */
export function MerchantChoice({
  value,
  none,
  onChange,
}: {
  /** The merchant's id; empty for none. */
  readonly value: string;
  readonly none: string;
  readonly onChange: (merchantId: string | undefined) => void;
}) {
  const merchants = useMerchants().data ?? [];
  const known = [
    { value: '', label: none },
    ...merchants.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const found = known.find((option) => option.value === value);
  const chosen = found ?? { value, label: value };
  return (
    <Combobox.Root
      items={found === undefined ? [...known, chosen] : known}
      value={chosen}
      isItemEqualToValue={(item, other) => item.value === other.value}
      onValueChange={(next) => onChange(next?.value)}
    >
      <Combobox.Trigger className="choice-trigger" aria-label="Merchant">
        <Icon name="merchants" />
        <span className="choice-value">{chosen.label}</span>
        <Combobox.Icon className="choice-icon">
          <Icon name="open" />
        </Combobox.Icon>
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner className="above" sideOffset={4} align="start">
          <Combobox.Popup className="popup" aria-label="Choose a merchant">
            <Combobox.Input
              className="popup-search"
              placeholder="Find a merchant"
              aria-label="Find a merchant"
            />
            <Combobox.Empty className="popup-empty">No merchant has that name.</Combobox.Empty>
            <Combobox.List className="options">
              {(option: Option) => (
                <Combobox.Item key={option.value} value={option} className="option">
                  {option.label}
                  <Combobox.ItemIndicator>
                    <Icon name="chosen" />
                  </Combobox.ItemIndicator>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
