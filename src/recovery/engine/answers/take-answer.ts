import { invariant } from '../../../domain/errors.ts';
import type { EngineDeps } from '../deps.ts';
import { learnCard } from '../learn-card.ts';
import { resolveCharge } from '../resolve-charge.ts';
import { stopPayment } from '../stop-payment.ts';
import type { AnsweredCharge, LateAnswer } from './answer-ports.ts';
import { type DefiniteResult, judgeAnswer, type Verdict } from './judge-answer.ts';
import { contradicted, differing, type LateInput, late, secondSuccess } from './late-steps.ts';

export type AnswerDeps = Pick<
  EngineDeps,
  'clock' | 'random' | 'signLink' | 'payments' | 'answers' | 'merchants' | 'wake' | 'log'
>;

/** What became of an answer. `busy`: the charge moved each time that it was looked at. */
export type TakenAnswer =
  | 'resolved'
  | 'recorded_late'
  | 'says_nothing_new'
  | 'incident'
  | 'charge_unknown'
  | 'busy';

const maxLooks = 10;

/**
 * Takes a definite answer to a charge, whenever it comes and whoever got it: from a worker that
 * lost its lease meanwhile, from the PSP's record, by webhook, after a stop, an exhaustion or a
 * settlement. It resolves the charge that it is of; what cannot stand beside the record opens an
 * incident.
 */
export async function takeAnswer(
  deps: AnswerDeps,
  input: {
    readonly merchantId: string;
    readonly idempotencyKey: string;
    readonly result: DefiniteResult;
    /** Whether real money moves at the account that says so; undefined where nobody knows. */
    readonly isLive?: boolean;
  },
): Promise<TakenAnswer> {
  for (let look = 0; look < maxLooks; look += 1) {
    const charge = await deps.answers.find(input);
    if (charge === undefined) return 'charge_unknown';
    const verdict = judgeAnswer(charge, input.result, input.isLive ?? charge.isLive);
    const taken = await act(deps, charge, input.result, verdict);
    if (taken === undefined) continue;
    tell(deps, charge, input.result, taken);
    return taken;
  }
  const { merchantId, idempotencyKey, result } = input;
  deps.log.warn(
    { merchantId, idempotencyKey, result: result.kind },
    'an answer could not be recorded yet: the charge moves',
  );
  return 'busy';
}

/** Undefined where the charge or its payment moved meanwhile. */
async function act(
  deps: AnswerDeps,
  charge: AnsweredCharge,
  result: DefiniteResult,
  verdict: Verdict,
): Promise<TakenAnswer | undefined> {
  if (verdict.kind === 'resolves') {
    return (await resolveCharge(deps, charge, result)) === 'recorded' ? 'resolved' : undefined;
  }
  if (result.kind === 'paid_elsewhere') {
    await stopPayment(
      { ...deps, pause: async () => undefined, elapsedMs: () => 0 },
      { ...charge, reason: 'recovered_elsewhere', detail: result.reason, waits: false },
    );
    return 'says_nothing_new';
  }
  if (verdict.kind === 'says_nothing_new' || result.kind === 'not_made') return 'says_nothing_new';
  const payment = await deps.payments.load(charge);
  const merchant = await deps.merchants.findMerchant(charge.merchantId);
  invariant(payment !== undefined && merchant !== undefined, 'a charge belongs to a payment');
  const now = deps.clock.now();
  const change = stepOf(deps, { charge, payment, merchant, result, now }, verdict);
  const { merchantId, invoiceId } = charge;
  const { fence, revision } = payment;
  const answer: LateAnswer = {
    ...change,
    merchantId,
    invoiceId,
    fence,
    revision,
    at: now,
    charge,
    events: change.events ?? [],
  };
  if ((await deps.answers.record(answer)) === 'changed') return undefined;
  deps.wake.deliveries();
  deps.wake.payments();
  await learnCard(deps, { payment, transaction: charge.transaction, result });
  return answer.incident === undefined ? 'recorded_late' : 'incident';
}

function stepOf(
  deps: AnswerDeps,
  input: LateInput,
  verdict: Exclude<Verdict, { kind: 'resolves' | 'says_nothing_new' }>,
) {
  switch (verdict.kind) {
    case 'late':
      return late(deps, input);
    case 'second_success':
      return secondSuccess(deps, input);
    case 'contradiction':
      return contradicted(input);
    case 'differs':
      return differing(input, verdict.in);
  }
}

function tell(
  deps: AnswerDeps,
  charge: AnsweredCharge,
  result: DefiniteResult,
  taken: TakenAnswer,
): void {
  const { merchantId, invoiceId, attempt, transaction } = charge;
  const { idempotencyKey, state: recorded } = transaction;
  const fields = {
    merchantId,
    invoiceId,
    attemptId: attempt.attemptId,
    idempotencyKey,
    recorded,
    result: result.kind,
  };
  if (taken === 'recorded_late') {
    deps.log.warn(
      fields,
      'a charge that was believed never made had been made, and is now recorded',
    );
  } else if (taken === 'incident') {
    deps.log.warn(
      fields,
      'a PSP tells what contradicts the record: its incident waits for a person',
    );
  }
}
