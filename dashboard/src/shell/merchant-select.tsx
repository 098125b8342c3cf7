import { useMerchants } from '../api/merchants.ts';
import { useViewState } from '../state/view-state.ts';

/** Whose payments are looked at; kept in the address. */
export function MerchantSelect() {
  const { merchantId, change } = useViewState();
  const merchants = useMerchants().data ?? [];
  const isKnown = merchants.some((merchant) => merchant.id === merchantId);
  return (
    <label className="field">
      <span className="field-name">Merchant</span>
      <select
        value={merchantId ?? ''}
        onChange={(event) => change({ merchant: event.target.value, cursor: undefined })}
      >
        <option value="">All merchants</option>
        {merchantId !== undefined && !isKnown && <option value={merchantId}>{merchantId}</option>}
        {merchants.map((merchant) => (
          <option key={merchant.id} value={merchant.id}>
            {merchant.name}
          </option>
        ))}
      </select>
    </label>
  );
}
