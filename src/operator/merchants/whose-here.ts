import type { OfMerchants } from '../../domain/access/of-merchants.ts';
import { merchantsHere } from '../../store/admin/merchants-here.ts';
import type { Queryable } from '../../store/database.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { whose } from '../session/permit.ts';

/**
 * Of the merchant that is named, which has moved or not, or of all that its caller may see and that are in this cell:
 * for what adds merchants up, or lists them beside each other. What is named is asked for as history.
 */
export async function whoseHere(
  db: Queryable,
  context: Pick<OperatorContext, 'caller'>,
  query: { readonly merchant_id?: string | undefined },
): Promise<OfMerchants> {
  const asked = whose(context, query);
  return query.merchant_id === undefined ? merchantsHere(db, asked) : asked;
}
