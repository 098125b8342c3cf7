import type { Merchant } from '../../domain/merchant.ts';
import { present } from '../../domain/present.ts';
import { isFinal } from '../../domain/states.ts';
import {
  type AttemptOutcome,
  type DueDelivery,
  firstDeliveryFence,
  type NewEvent,
  type Outcome,
  type PaymentContext,
  type PaymentOutcome,
  type RecordOutcome,
  type TransactionOutcome,
} from '../engine-ports.ts';
import { endOfDunning } from './announce.ts';
import { customerAction } from './customer-action.ts';
import type { EngineDeps } from './deps.ts';

/** What one step makes of a payment. */
export interface Step {
  readonly payment: PaymentOutcome;
  readonly attempt?: AttemptOutcome;
  readonly transaction?: TransactionOutcome;
  readonly events?: readonly NewEvent[];
  readonly takeOver?: boolean;
}

/** What became of a step: where it was recorded, which one, and the payment that it was decided on. */
export type Recorded =
  | { readonly kind: 'recorded'; readonly step: Step; readonly payment: PaymentContext }
  | { readonly kind: Exclude<RecordOutcome, 'recorded'> };

/** More changes from outside than this, within one step, are left to the next claim. */
const maxRereads = 10;

/**
 * Records a step. Where something came from outside since the payment was read (an update, a stop),
 * the step is decided again on fresh facts, so that no plan is written that did not know of it.
 * `decideStep` may run several times, and what it did last need not be what was recorded: it changes
 * nothing itself, and the answer says which step stands.
 */
export async function recordStep(
  deps: Pick<EngineDeps, 'clock' | 'random' | 'signLink' | 'payments' | 'wake' | 'sendAtOnce'>,
  input: {
    readonly payment: PaymentContext;
    readonly merchant: Merchant;
    readonly decideStep: (payment: PaymentContext, now: Date) => Step;
  },
): Promise<Recorded> {
  let { payment } = input;
  for (let reread = 0; reread <= maxRereads; reread += 1) {
    const at = deps.clock.now();
    const step = input.decideStep(payment, at);
    // A second success is no step of the engine: `takeAnswer` records it, with its incident.
    if (payment.isPaid === true && step.transaction?.state === 'succeeded') {
      return { kind: 'lease_lost' };
    }
    const end = endOfDunning(deps, {
      payment,
      merchant: input.merchant,
      state: step.payment.state,
      at,
    });
    const { merchant } = input;
    const declined = step.transaction?.decline;
    const wait = customerAction(deps, { payment, merchant, next: step.payment, declined, at });
    const events = [...(step.events ?? []), ...wait, ...end];
    const outcome = await recordAndSend(deps, merchant, {
      merchantId: payment.merchantId,
      invoiceId: payment.invoiceId,
      fence: payment.fence,
      revision: payment.revision,
      at,
      payment: step.payment,
      ...present({ attempt: step.attempt, transaction: step.transaction }),
      events,
      takeOver: step.takeOver ?? false,
    });
    if (outcome === 'recorded') {
      wakeAfter(deps, step, at);
      return { kind: 'recorded', step, payment };
    }
    if (outcome === 'lease_lost') return { kind: 'lease_lost' };
    const fresh = await deps.payments.load(payment);
    if (fresh === undefined || fresh.fence !== payment.fence || isFinal(fresh.state)) {
      return { kind: 'lease_lost' };
    }
    payment = fresh;
  }
  return { kind: 'changed' };
}

/**
 * Records an outcome, and has its events sent as soon as they are committed: by this process where it
 * has places for them, else by whoever claims them.
 */
async function recordAndSend(
  deps: Pick<EngineDeps, 'payments' | 'wake' | 'sendAtOnce'>,
  merchant: Merchant,
  outcome: Outcome,
): Promise<RecordOutcome> {
  const { merchantId, events, at } = outcome;
  if (events.length === 0) return deps.payments.record(outcome);
  const isPaused = merchant.webhookPause !== undefined;
  const place = isPaused ? undefined : deps.sendAtOnce?.place(merchantId, events.length);
  let recorded: RecordOutcome | undefined;
  try {
    const sendLeaseUntil = place?.leaseUntil;
    recorded = await deps.payments.record({ ...outcome, ...present({ sendLeaseUntil }) });
  } finally {
    if (recorded !== 'recorded') place?.release();
  }
  if (recorded !== 'recorded') return recorded;
  if (place === undefined || merchant.hasFurtherEndpoints === true) deps.wake.deliveries();
  place?.run(events.map((event) => firstDelivery(merchantId, event, at)));
  return recorded;
}

function firstDelivery(merchantId: string, event: NewEvent, dueAt: Date): DueDelivery {
  const { eventId, type, body } = event;
  return { merchantId, eventId, type, body, fence: firstDeliveryFence, tries: 0, dueAt };
}

/** Rings for what is due at once; what is due later is found by its time. */
function wakeAfter(deps: Pick<EngineDeps, 'wake'>, step: Step, at: Date): void {
  const { leaseUntil, nextAttemptAt } = step.payment;
  if (leaseUntil !== undefined || nextAttemptAt === undefined) return;
  if (nextAttemptAt.getTime() <= at.getTime()) deps.wake.payments();
}
