import type {
  NewTransaction,
  ReportedChanges,
  SeenMethod,
} from '../../../src/recovery/intake-ports.ts';
import { worldStart } from '../../kits/billing-events.ts';
import type { EngineWorld } from '../../kits/engine.ts';

/** Applies what reports say, of which the test names what matters. */
export function addChanges(world: EngineWorld, change: Partial<ReportedChanges>) {
  return world.deps.requestLog.add({
    transactions: [],
    methods: [],
    cards: [],
    updates: [],
    failed: [],
    paid: [],
    reportedAs: [],
    learned: [],
    at: world.clock.now(),
    ...change,
  });
}

export const seenMethod = (world: EngineWorld, paymentMethodId: string): SeenMethod => ({
  merchantId: world.merchantId,
  paymentMethodId,
  customerId: 'cus_1',
  psp: 'sandbox',
  scheme: 'visa',
  fundingSource: 'credit',
  acquirerCountry: 'US',
  seenAt: worldStart,
});

export const newTransaction = (world: EngineWorld, paymentMethodId: string): NewTransaction => ({
  merchantId: world.merchantId,
  invoiceId: `in_of_${paymentMethodId}`,
  transactionId: `tra_${paymentMethodId}`,
  pspTransactionId: `ch_${paymentMethodId}`,
  psp: 'sandbox',
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  paymentMethodId,
  amountMinor: 4200,
  currency: 'USD',
  success: true,
  occurredAt: worldStart,
  receivedAt: worldStart,
  detail: {},
});
