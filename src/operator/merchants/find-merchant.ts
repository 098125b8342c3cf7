import { AppError } from '../../domain/errors.ts';
import type { MerchantView, OperatorApi } from '../../recovery/operator-api.ts';

/** The merchant of a path. Throws AppError not_found for none. */
export async function findMerchant(
  api: Pick<OperatorApi, 'showMerchant'>,
  merchantId: string,
): Promise<MerchantView> {
  return found(await api.showMerchant(merchantId));
}

/** What the use case gave for a merchant of a path. Throws AppError not_found for nothing. */
export function found<View>(view: View | undefined): View {
  if (view === undefined) throw new AppError('not_found', 'There is no merchant of this id.');
  return view;
}
