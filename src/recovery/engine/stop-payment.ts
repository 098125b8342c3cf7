import { secondMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import { isFinal, type StopReason } from '../../domain/states.ts';
import type { StopOutcome } from '../api.ts';
import type { PaymentContext } from '../engine-ports.ts';
import type { EngineDeps } from './deps.ts';
import { nextStep } from './next-step.ts';
import { recordStep } from './record-step.ts';

export interface StopDeps
  extends Pick<EngineDeps, 'clock' | 'random' | 'signLink' | 'payments' | 'merchants' | 'wake'> {
  /** Waits a little: a stop waits for the charge on its way, looking again in between. */
  readonly pause: (durationMs: number) => Promise<void>;
  /** Milliseconds since any moment, by a clock that is never set. */
  readonly elapsedMs: () => number;
}

export interface StopInput {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly reason: StopReason;
  readonly detail?: string;
  /** False: leave it to the attempt under way to end the payment, without waiting for its charge. */
  readonly waits: boolean;
}

/** So long is waited until an answer is given although a charge is still on its way. */
const maxWaitMs = 15 * secondMs;
const minPauseMs = 25;
const maxPauseMs = 500;
/** Of the time waited so far: looks get rarer, and what takes long is answered late by no more than this. */
const pauseShare = 0.2;

/**
 * Stops a payment: when this answers `stopped`, nothing was sent after it and nothing will be. A
 * charge on its way is waited for; if it succeeds, the payment is recovered all the same.
 */
export async function stopPayment(deps: StopDeps, input: StopInput): Promise<StopOutcome> {
  for (let waitedMs = 0; waitedMs < maxWaitMs; ) {
    const fromMs = deps.elapsedMs();
    const payment = await deps.payments.load(input);
    // One that was there has been moved to another cell: asked again, the stop finds it there.
    if (payment === undefined) return { kind: waitedMs > 0 ? 'in_flight' : 'not_found' };
    if (payment.state === 'stopped' && payment.stopReason === input.reason && waitedMs > 0) {
      return { kind: 'stopped' };
    }
    if (isFinal(payment.state)) return { kind: 'already', status: payment.state };
    if (payment.state === 'scheduled') {
      if (await stopScheduled(deps, input, payment)) return { kind: 'stopped' };
    } else {
      const stop = await deps.payments.requestStop({ ...input, at: deps.clock.now() });
      if (stop !== undefined && !stop.chargeInFlight) return { kind: 'stopped' };
      if (stop !== undefined && !input.waits) return { kind: 'in_flight' };
    }
    const pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, pauseShare * waitedMs));
    await deps.pause(pauseMs);
    // The looks take time as well: of a slow database so much that the caller would have left.
    waitedMs += Math.max(pauseMs, deps.elapsedMs() - fromMs);
  }
  return { kind: 'in_flight' };
}

/** False where the payment moved meanwhile: the caller looks again. */
async function stopScheduled(
  deps: StopDeps,
  input: StopInput,
  payment: PaymentContext,
): Promise<boolean> {
  const merchant = await deps.merchants.findMerchant(input.merchantId);
  if (merchant === undefined) return false;
  const { reason: stopReason, detail } = input;
  const stop = { stopReason, ...present({ stopDetail: detail }) };
  const recorded = await recordStep(deps, {
    payment,
    merchant,
    decideStep: (fresh, now) => ({
      payment: nextStep({ ...fresh, ...stop }, merchant, now),
      takeOver: true,
    }),
  });
  return recorded.kind === 'recorded';
}
