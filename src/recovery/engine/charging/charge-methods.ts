import type { Blocked } from '../../../domain/network-rules/judge-charge.ts';
import type { ChargeResult, PspGateway } from '../../psp-ports.ts';
import { modeOf } from '../answers/judge-answer.ts';
import { lookFirst } from '../answers/look-first.ts';
import { outcomeOf } from '../answers/outcome-of.ts';
import { withOutcome } from '../attempt-steps.ts';
import { withoutMethod } from '../check-with-merchant.ts';
import type { EngineDeps } from '../deps.ts';
import { learnCard } from '../learn-card.ts';
import type { ChargeMethod } from '../methods-to-charge.ts';
import { holdForCharge, isDropped, lateBecause, sendByOf } from '../time/holding.ts';
import { type Begun, beginCharge } from './begin-charge.ts';
import { chargeRequest } from './charge-request.ts';
import type { Charging } from './charging.ts';
import { endBlocked, endSkipped, endUncharged } from './end-attempt.ts';
import { recordAnswer } from './record-answer.ts';

/**
 * Charges the answered methods in their order until one succeeds. Each charge is committed before
 * it is sent; a decline leads to the next method, and so does a rule of the card's network that
 * forbids the charge, a card that is in dispute, a customer who has just removed the method, or a PSP
 * that refuses the request, as one does that has no such method; a lost answer leads to none.
 */
export async function chargeMethods(deps: EngineDeps, input: Charging): Promise<void> {
  const { payment, check } = input;
  const gateway = await deps.findGateway(payment);
  if (gateway === undefined) {
    await endUncharged(deps, input, `charging through ${payment.psp} is not set up`);
    return;
  }
  const blocks: Blocked[] = [];
  let isDisputed = false;
  let charging = input;
  for (const [index, method] of check.methods.entries()) {
    const isLast = index === check.methods.length - 1;
    const turn = await takeTurn(deps, charging, { gateway, method, isLast });
    if (turn.kind === 'over') return;
    if (turn.kind === 'blocked') blocks.push(turn.block);
    if (turn.kind === 'disputed') isDisputed = true;
    charging = turn.charging;
  }
  if (blocks.length > 0) await endBlocked(deps, charging, blocks);
  else await endSkipped(deps, charging, { isDisputed });
}

interface Offered {
  readonly gateway: PspGateway;
  readonly method: ChargeMethod;
  /** No other method follows. */
  readonly isLast: boolean;
}

/** What one method's turn came to. `over`: the attempt has ended, or is another worker's now. */
type Turn =
  | { readonly kind: 'next' | 'disputed'; readonly charging: Charging }
  | { readonly kind: 'blocked'; readonly charging: Charging; readonly block: Blocked }
  | { readonly kind: 'over' };

const over: Turn = { kind: 'over' };

async function takeTurn(deps: EngineDeps, input: Charging, offered: Offered): Promise<Turn> {
  const { gateway, method } = offered;
  const hold = await holdForCharge(deps, input);
  if (hold === undefined || isDropped(deps, input)) return over;
  const charging = { ...input, hold };
  const begun = await beginCharge(deps, charging, {
    paymentMethodId: method.paymentMethodId,
    connectionVersion: gateway.connection?.version ?? 1,
  });
  switch (begun.kind) {
    case 'lease_lost':
      return over;
    case 'stopped':
      await endUncharged(deps, charging, 'a stop came before the charge');
      return over;
    case 'blocked':
      return { kind: 'blocked', charging, block: begun };
    case 'disputed':
    case 'removed': {
      const check = withoutMethod(charging.check, method.paymentMethodId, begun.kind);
      const kind = begun.kind === 'disputed' ? 'disputed' : 'next';
      return { kind, charging: { ...charging, check } };
    }
    case 'begun':
      return await finishTurn(deps, charging, { ...offered, begun });
  }
}

interface BegunTurn extends Offered {
  readonly begun: Extract<Begun, { kind: 'begun' }>;
}

/** Sends a charge that is committed, and records the answer. */
async function finishTurn(deps: EngineDeps, input: Charging, turn: BegunTurn): Promise<Turn> {
  const { payment, hold } = input;
  const { gateway, isLast } = turn;
  const { transaction } = turn.begun;
  const transactions = [...input.attempt.transactions, transaction];
  const check = input.check.record;
  const attempt = { ...input.attempt, state: 'charging' as const, check, transactions };
  const result = await answerTo(deps, input, turn);
  const answer = { result, transaction, isLast, ...modeOf(gateway) };
  const next = await recordAnswer(deps, { ...input, attempt }, answer);
  await learnCard(deps, { payment, transaction, result });
  if (next === undefined) return over;
  const outcome = outcomeOf(attempt.attemptId, transaction.ordinal, result);
  return {
    kind: 'next',
    charging: {
      ...input,
      payment: next.payment,
      hold: { ...hold, leaseUntil: next.leaseUntil },
      attempt: { ...attempt, transactions: withOutcome(attempt, outcome) },
    },
  };
}

/** What the PSP says: of an earlier charge under this key where there may be one, else of this one. */
async function answerTo(
  deps: EngineDeps,
  input: Charging,
  { gateway, method, begun }: BegunTurn,
): Promise<ChargeResult> {
  const { payment, hold } = input;
  const { transaction } = begun;
  const found = await lookFirst(deps, { gateway, payment, transaction, begun });
  if (found !== undefined) return found;
  const sendBy = sendByOf(deps, { hold, sentAt: transaction.sentAt });
  const request = chargeRequest(input, method, { ...transaction, sendBy });
  const late = lateBecause(deps, { hold, sendBy });
  return late === undefined ? gateway.charge(request) : { kind: 'not_made', reason: late };
}
