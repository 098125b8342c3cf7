import { AppError } from '../../domain/errors.ts';
import type { MerchantView } from '../../recovery/operator-api.ts';
import * as store from '../../store/admin/merchants.ts';
import type { Queryable } from '../../store/database.ts';

/** The merchant of a path or query. @throws AppError not_found for none */
export async function findMerchant(db: Queryable, merchantId: string): Promise<MerchantView> {
  return found(await store.findMerchant(db, merchantId));
}

/** What there is of a merchant of a path. @throws AppError not_found for nothing */
export function found<View>(view: View | undefined): View {
  if (view === undefined) throw new AppError('not_found', 'There is no merchant with this id.');
  return view;
}
