import type { OrderStore } from '../../../disputes/look-up-order.ts';
import type { Queryable } from '../../database.ts';
import { distinct, findAnalyticsRecords } from './known-analytics.ts';
import { findOrderCharges, findRenewals } from './known-charges.ts';

export function createOrderStore({ db }: { readonly db: Queryable }): OrderStore {
  return {
    findCharges: (input) => findOrderCharges(db, input),
    async findAnalyticsRecords({ merchantId, charge }) {
      const { subscriptionId, customerId, processedAt } = charge;
      const renewals = await findRenewals(db, {
        merchantId,
        subscriptionIds: distinct([subscriptionId]),
        customerIds: [customerId],
        until: processedAt,
      });
      const charges = [charge, ...renewals];
      const analyticsRecords = await findAnalyticsRecords(db, {
        merchantId,
        charges,
        paymentIds: [],
      });
      return { renewals, analyticsRecords };
    },
  };
}
