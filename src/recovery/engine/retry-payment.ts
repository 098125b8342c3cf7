import type { Merchant } from '../../domain/merchant.ts';
import { rulePackVersion } from '../../domain/network-rules/rule-pack.ts';
import { isFinal } from '../../domain/states.ts';
import { networkBounds, usableMethods } from '../../policy/gates.ts';
import { keepingArm } from '../../policy/learned/deciding/payment-arm.ts';
import type { DecisionRecord } from '../../policy/plan.ts';
import type { RetryOutcome } from '../api.ts';
import type { PaymentContext } from '../engine-ports.ts';
import type { EngineDeps } from './deps.ts';
import { planInput } from './next-step.ts';

export interface RetryInput {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly retryAt?: Date;
}

/** The payment may move while it is looked at; after so many looks it is too busy to be retried. */
const maxLooks = 20;

/**
 * Client Retry: sets the next try to now, or to a time that the merchant chose. Every gate holds for
 * it as for a planned one; what refuses it is said in words.
 */
export async function retryPayment(
  deps: Pick<EngineDeps, 'clock' | 'payments' | 'merchants' | 'wake'>,
  input: RetryInput,
): Promise<RetryOutcome> {
  for (let look = 0; look < maxLooks; look += 1) {
    const payment = await deps.payments.load(input);
    const merchant = await deps.merchants.findMerchant(input.merchantId);
    if (payment === undefined || merchant === undefined) return { kind: 'not_found' };
    const now = deps.clock.now();
    const at = input.retryAt ?? now;
    const judged = judge(payment, merchant, at, now);
    if ('because' in judged) return { kind: 'refused', because: judged.because };
    const recorded = await deps.payments.record({
      merchantId: payment.merchantId,
      invoiceId: payment.invoiceId,
      fence: payment.fence,
      revision: payment.revision,
      at: now,
      takeOver: true,
      events: [],
      payment: {
        state: 'scheduled',
        attemptCount: payment.tries.length,
        postponements: payment.postponements,
        decision: keepingArm(decisionOf(input, at, now, judged.methods), payment.decision),
        dueAction: 'attempt',
        nextAttemptAt: at,
      },
    });
    if (recorded !== 'recorded') continue;
    deps.wake.payments();
    return { kind: 'scheduled', nextAttemptAt: at };
  }
  return { kind: 'refused', because: 'The payment is busy; try again in a moment.' };
}

/** The methods that may be tried at `at`, or the gate that refuses the try. */
function judge(
  payment: PaymentContext,
  merchant: Merchant,
  at: Date,
  now: Date,
): { readonly methods: readonly string[] } | { readonly because: string } {
  if (isFinal(payment.state)) return { because: `The payment is already ${payment.state}.` };
  if (payment.frozenAt !== undefined) {
    return { because: 'This invoice has an open incident; resolve it first.' };
  }
  if (payment.state === 'attempting') return { because: 'An attempt is in progress.' };
  if (at.getTime() < now.getTime()) return { because: 'retry_at is in the past.' };
  if (at.getTime() > payment.windowEndsAt.getTime()) {
    return { because: `The recovery window ends at ${payment.windowEndsAt.toISOString()}.` };
  }
  if (payment.tries.length >= payment.maxAttempts) {
    return { because: `All ${payment.maxAttempts} tries are used.` };
  }
  const input = planInput(payment, merchant, now);
  const usable = usableMethods(input);
  if (usable.length === 0) {
    const because = 'No payment method may be tried again until it is updated.';
    return { because: [because, ...networkBounds(input.methods)].join(' ') };
  }
  const methods = usable.filter((method) => method.allowedAt.getTime() <= at.getTime());
  if (methods.length === 0) {
    const bounds = usable.flatMap(({ boundBy }) => (boundBy === undefined ? [] : [boundBy]));
    return { because: `No payment method may be tried this soon: ${bounds.join('; ')}.` };
  }
  return { methods: methods.map((method) => method.paymentMethodId) };
}

function decisionOf(
  input: RetryInput,
  at: Date,
  now: Date,
  methods: readonly string[],
): DecisionRecord {
  return {
    kind: 'attempt',
    because: input.retryAt === undefined ? 'asked for now' : 'asked for this time',
    policy: 'client_retry',
    policy_version: '1',
    rule_pack_version: rulePackVersion,
    decided_at: now.toISOString(),
    at: at.toISOString(),
    methods,
    bounded_by: [],
    propensity: 1,
  };
}
