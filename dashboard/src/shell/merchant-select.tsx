import { Combobox } from '@base-ui/react/combobox';
import { useMerchants } from '../api/merchants.ts';
import type { Option } from '../parts/choice.tsx';
import { Icon } from '../parts/icon.tsx';
import { useViewState } from '../state/view-state.ts';

const all: Option = { value: '', label: 'All merchants' };

/** Whose payments are looked at; found by name, and kept in the address. */
export function MerchantSelect() {
  const { merchantId = '', change } = useViewState();
  const merchants = useMerchants().data ?? [];
  const known = [all, ...merchants.map(({ id, name }) => ({ value: id, label: name }))];
  const found = known.find(({ value }) => value === merchantId);
  const chosen = found ?? { value: merchantId, label: merchantId };
  return (
    <Combobox.Root
      items={found === undefined ? [...known, chosen] : known}
      value={chosen}
      isItemEqualToValue={(item, value) => item.value === value.value}
      onValueChange={(next) => change({ merchant: next?.value, cursor: undefined })}
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
            <Combobox.Empty className="popup-empty">No merchant is called that.</Combobox.Empty>
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
