import type { Clock } from '../../domain/clock.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { present } from '../../domain/present.ts';
import { type ChanceCurve, chanceCurve } from '../../policy/learned/chance-curve.ts';
import type { PlannedTry } from '../../policy/learned/following-tries.ts';
import type { InvoiceOf } from '../api.ts';
import type { Merchants } from '../engine/deps.ts';
import { planInput } from '../engine/next-step.ts';
import type { PaymentContext, PaymentStore } from '../engine-ports.ts';
import { plannedTries } from './planned-tries.ts';

export interface CurveDeps {
  /** With what the learned policy plans by. */
  readonly payments: Pick<PaymentStore, 'load'>;
  readonly merchants: Pick<Merchants, 'findMerchant'>;
  readonly clock: Clock;
}

/** What is to come of a payment. */
export interface PaymentOutlook {
  /** The attempt that is planned, and those that follow where it is declined. */
  readonly planned: readonly PlannedTry[];
  /** Behind a standing plan of a model, made anew from what is known now. */
  readonly curve?: ChanceCurve;
}

/** What is planned for a payment; nothing of one that is not there. */
export async function paymentOutlook(deps: CurveDeps, key: InvoiceOf): Promise<PaymentOutlook> {
  const [payment, merchant] = await Promise.all([
    deps.payments.load(key),
    deps.merchants.findMerchant(key.merchantId),
  ]);
  if (payment === undefined || merchant === undefined) return { planned: [] };
  const curve = curveOf(payment, merchant, deps.clock.now());
  return { planned: plannedTries(payment, merchant), ...present({ curve }) };
}

function curveOf(payment: PaymentContext, merchant: Merchant, now: Date): ChanceCurve | undefined {
  if (payment.learned === undefined) return undefined;
  const { arm, methods } = payment.decision ?? {};
  const first = methods?.[0];
  const isModels = arm === 'learned' || arm === 'explore';
  if (payment.state !== 'scheduled' || !isModels || first === undefined) return undefined;
  return chanceCurve({ plan: planInput(payment, merchant, now), ...payment.learned }, first);
}
