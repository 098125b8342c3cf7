import { MerchantChoice } from '../parts/merchant-choice.tsx';
import { useViewState } from '../state/view-state.ts';

/** Whose payments are looked at; kept in the address. */
export function MerchantSelect() {
  const { merchantId = '', change } = useViewState();
  return (
    <MerchantChoice
      value={merchantId}
      none="All merchants"
      onChange={(merchant) => change({ merchant, cursor: undefined })}
    />
  );
}
