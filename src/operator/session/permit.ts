import type { OfMerchants } from '../../domain/access/of-merchants.ts';
import { mayActAs } from '../../domain/access/operators.ts';
import { AppError, invariant } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import type { Stage } from '../../http/endpoint/exchange.ts';
import type { OperatorContext } from '../operator-deps.ts';
import type { OperatorCaller } from './authorize.ts';
import { isPortalEndpoint } from './portal-endpoints.ts';

/**
 * The one place where it is decided who may do what: by the role that the endpoint needs, and for
 * operators of some merchants by whose data it is about. A merchant that they may not see is answered
 * as one that is not there. Who looks at a portal reads what its list names, as a viewer of one merchant.
 */
export const permit: Stage<OperatorCaller> = async (exchange, next) => {
  const { caller, endpoint, request, route } = exchange;
  const { needs } = endpoint;
  invariant(caller !== undefined, 'who asks is known behind the door');
  invariant(needs !== undefined, 'an endpoint behind the door says whom it is for');
  if (caller.portal !== undefined && !isPortalEndpoint(route)) {
    throw new AppError('portal_forbidden');
  }
  if (!mayActAs(caller.role, needs.role)) {
    const detail = `This is for the role ${needs.role}, and yours is ${caller.role}.`;
    throw new AppError('operator_forbidden', detail);
  }
  const { merchants } = caller;
  if (merchants === undefined) return next();
  switch (needs.reach) {
    case 'nobody':
    case 'own':
      return next();
    case 'all':
      throw new AppError('operator_forbidden', 'This is about all merchants, and you see some.');
    case 'path': {
      const { id } = request.params as { readonly id?: string };
      if (id === undefined || !merchants.includes(id)) throw unseen();
      return next();
    }
    case 'query':
    case 'queried':
      narrow(request.query as MerchantQuery, merchants, needs.reach);
      return next();
  }
};

interface MerchantQuery {
  merchant_id?: unknown;
}

/** What names no merchant is of the only one; and of several where the endpoint asks `whose` it is. */
function narrow(
  query: MerchantQuery,
  merchants: readonly string[],
  reach: 'query' | 'queried',
): void {
  const { merchant_id: asked } = query;
  if (asked !== undefined) {
    if (typeof asked === 'string' && merchants.includes(asked)) return;
    throw unseen();
  }
  const [only, another] = merchants;
  if (another !== undefined && reach === 'queried') return;
  if (only === undefined || another !== undefined) {
    const detail = `Name one of your merchants in merchant_id: ${merchants.join(', ')}.`;
    throw new AppError('operator_forbidden', detail);
  }
  query.merchant_id = only;
}

/** For an endpoint of the reach `queried`: of the merchant that is named, or of all that its caller may see. */
export function whose(
  { caller }: Pick<OperatorContext, 'caller'>,
  { merchant_id: named }: { readonly merchant_id?: string | undefined },
): OfMerchants {
  return present({ merchantIds: named === undefined ? caller.merchants : [named] });
}

/** For an endpoint that learns from what it reads whose it is. */
export function sees(caller: Pick<OperatorCaller, 'merchants'>, merchantId: string): boolean {
  return caller.merchants?.includes(merchantId) !== false;
}

/** For an endpoint whose body says whose it is. @throws AppError not_found */
export function mustSee(caller: Pick<OperatorCaller, 'merchants'>, merchantId: string): void {
  if (!sees(caller, merchantId)) throw unseen();
}

function unseen(): AppError {
  return new AppError('not_found', 'There is no merchant with this id.');
}
