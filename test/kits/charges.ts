import { dayMs } from '../../src/domain/clock.ts';
import type { AnalyticsWorld } from './analytics-world.ts';

export interface ReportedCharge {
  readonly charge: string;
  readonly invoice: string;
  readonly daysAgo: number;
  readonly subscription?: string;
  readonly method?: string;
  readonly customer?: string;
  readonly psp?: string;
  readonly begunDaysAgo?: number;
}

/** Charges as merchants report them, each with its card's method, some days before now. */
export async function reportCharges(
  world: AnalyticsWorld,
  charges: readonly ReportedCharge[],
): Promise<void> {
  const { merchantId } = world.first;
  const now = world.clock.now();
  for (const { charge, invoice, daysAgo, ...more } of charges) {
    const { subscription = 'sub_1', method = 'pm_1', customer = 'c_1', psp = 'stripe' } = more;
    await world.rows(
      `insert into payment_methods (merchant_id, payment_method_id, customer_id, psp, state,
         created_at, updated_at)
       values ($1, $2, $3, $4, 'active', $5, $5) on conflict do nothing`,
      [merchantId, method, customer, psp, now],
    );
    const at = new Date(now.getTime() - daysAgo * dayMs);
    // Unless told otherwise, the first of them began the subscription.
    const ofSame = charges.filter((one) => (one.subscription ?? 'sub_1') === subscription);
    const { begunDaysAgo = Math.max(...ofSame.map((one) => one.daysAgo)) } = more;
    const begunAt = new Date(now.getTime() - begunDaysAgo * dayMs);
    await world.rows(
      `insert into transactions (merchant_id, invoice_id, transaction_id, psp_transaction_id, psp,
         customer_id, subscription_id, payment_method_id, amount_minor, currency, success,
         occurred_at, detail, received_at)
       values ($1, $2, $3 || '-t', $3, $4, $5, $6, $7, 4900, 'EUR', true, $8,
         json_build_object('subscription',
           json_build_object('product_id', 'pro_monthly', 'start_date', $9::text)), $8)`,
      [
        ...[merchantId, invoice, charge, psp, customer, subscription, method, at],
        begunAt.toISOString(),
      ],
    );
  }
}
