import type { Clock } from '../../domain/clock.ts';
import { type ChanceCurve, chanceCurve } from '../../policy/learned/chance-curve.ts';
import type { InvoiceOf } from '../api.ts';
import type { Merchants } from '../engine/deps.ts';
import { planInput } from '../engine/next-step.ts';
import type { PaymentStore } from '../engine-ports.ts';

export interface CurveDeps {
  /** With what the learned policy plans by. */
  readonly payments: Pick<PaymentStore, 'load'>;
  readonly merchants: Pick<Merchants, 'findMerchant'>;
  readonly clock: Clock;
}

/**
 * The curve behind a standing plan of the learned policy, made anew from what is known now; undefined
 * where no model planned it.
 */
export async function paymentCurve(
  deps: CurveDeps,
  key: InvoiceOf,
): Promise<ChanceCurve | undefined> {
  const [payment, merchant] = await Promise.all([
    deps.payments.load(key),
    deps.merchants.findMerchant(key.merchantId),
  ]);
  if (payment?.learned === undefined || merchant === undefined) return undefined;
  const { arm, methods } = payment.decision ?? {};
  const first = methods?.[0];
  const isModels = arm === 'learned' || arm === 'explore';
  if (payment.state !== 'scheduled' || !isModels || first === undefined) return undefined;
  return chanceCurve(
    { plan: planInput(payment, merchant, deps.clock.now()), ...payment.learned },
    first,
  );
}
