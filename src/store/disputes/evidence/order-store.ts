import type { OrderStore } from '../../../disputes/look-up-order.ts';
import type { Queryable } from '../../database.ts';
import { distinct, findCaptures } from './known-captures.ts';
import { findOrderCharges, findRenewals } from './known-charges.ts';

export function createOrderStore({ db }: { readonly db: Queryable }): OrderStore {
  return {
    findCharges: (input) => findOrderCharges(db, input),
    async findCaptures({ merchantId, charge }) {
      const { subscriptionId, customerId, processedAt } = charge;
      const renewals = await findRenewals(db, {
        merchantId,
        subscriptionIds: distinct([subscriptionId]),
        customerIds: [customerId],
        until: processedAt,
      });
      const charges = [charge, ...renewals];
      const captures = await findCaptures(db, { merchantId, charges, paymentIds: [] });
      return { renewals, captures };
    },
  };
}
