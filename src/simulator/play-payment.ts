import type { Decline } from '../domain/declines/decline.ts';
import type { CardAttempt } from '../domain/network-rules/card-attempt.ts';
import { type Judgement, judgeCharge } from '../domain/network-rules/judge-charge.ts';
import { present } from '../domain/present.ts';
import { hourOf, instantOf } from './calendar.ts';
import { charge, firstDecline } from './charge.ts';
import type { NextTry, Observed, ObservedTry, PastObserved, SimulatedPolicy } from './observed.ts';
import type { Payer } from './payer.ts';
import { cancelsAfterTry, type OwnEnd, ownEnd } from './payer-life.ts';
import { payerPast } from './payer-past.ts';
import type { World } from './world.ts';

/** How the recovery of one payment went. */
export interface Played {
  readonly end: 'recovered_by_retry' | 'paid_by_payer' | 'cancelled' | 'window_ended';
  readonly endHour: number;
  readonly firstDecline: Decline;
  /** Charges that reached the issuer, the successful one included. */
  readonly triedHours: readonly number[];
  /** Tries that a network's rule refused, though the policy asked for them. */
  readonly refusals: number;
  readonly feeMicros: number;
}

interface State {
  nowHour: number;
  renewedHour: number | undefined;
  refusals: number;
  feeMicros: number;
  readonly tries: ObservedTry[];
  readonly history: CardAttempt[];
  readonly past: readonly PastObserved[];
}

/** Plays one payer's recovery under a policy, to its end. The same input gives the same end. */
export function playPayment(world: World, payer: Payer, policy: SimulatedPolicy): Played {
  const first = firstDecline(world, payer);
  const own = ownEnd(world, payer);
  const curedHour =
    payer.cause.kind === 'lifecycle' ? payer.cause.curedHour : Number.POSITIVE_INFINITY;
  const state: State = {
    nowHour: payer.failedHour,
    renewedHour: undefined,
    refusals: 0,
    feeMicros: adviceFee(world, payer, first),
    tries: [],
    history: [attemptOf(payer.failedHour, 'declined', first)],
    past: payerPast(world, payer),
  };
  const done = (end: Played['end'], endHour: number, triedHours: readonly number[]): Played => {
    const { refusals, feeMicros } = state;
    return { end, endHour, firstDecline: first, triedHours, refusals, feeMicros };
  };
  for (;;) {
    const triedHours = state.tries.map(({ hour }) => hour);
    const next = policy.next(observe(world, payer, first, state));
    const tryHour = allowedHour(payer, state, next);
    const isWaiting = next.kind !== 'stop' && state.renewedHour === undefined;
    const renewalHour = isWaiting ? curedHour : Number.POSITIVE_INFINITY;
    if (comesFirst(own, Math.min(tryHour, renewalHour))) {
      return done(own.kind, own.hour, triedHours);
    }
    if (renewalHour <= tryHour) {
      state.nowHour = renewalHour;
      state.renewedHour = renewalHour;
      continue;
    }
    state.nowHour = tryHour;
    state.feeMicros += world.parameters.costs.authorisationMicros;
    const result = charge(world, payer, tryHour, triedHours);
    if (result.kind === 'approved') {
      return done('recovered_by_retry', tryHour, [...triedHours, tryHour]);
    }
    const { decline } = result;
    state.tries.push({ hour: tryHour, decline });
    state.history.push(attemptOf(tryHour, 'declined', decline));
    state.feeMicros += adviceFee(world, payer, decline);
    if (cancelsAfterTry(world, payer, tryHour)) {
      return done('cancelled', tryHour, [...triedHours, tryHour]);
    }
  }
}

/** Whether the payer, or the end of the window, is before the next step. Its last hour is inside. */
function comesFirst(own: OwnEnd, hour: number): boolean {
  return own.kind === 'window_ended' ? own.hour < hour : own.hour <= hour;
}

/** What the policy may see now. */
function observe(world: World, payer: Payer, first: Decline, state: State): Observed {
  const { nowHour, renewedHour, tries, past } = state;
  const judged = judge(payer, state, nowHour);
  return {
    payment: payer.index,
    nowHour,
    failedHour: payer.failedHour,
    windowEndHour: payer.failedHour + world.days * 24,
    amountMinor: payer.amountMinor,
    network: payer.network,
    cardFunding: payer.cardFunding,
    bin: binOf(payer),
    past,
    firstDecline: first,
    tries: [...tries],
    ...present({ renewedHour }),
    ...(judged.kind === 'blocked' && { blocked: judged }),
  };
}

/** Each issuer of a world has one run of numbers with each network. */
export function binOf({ network, issuer }: Payer): string {
  return `${network === 'visa' ? '4' : '5'}${String(issuer).padStart(3, '0')}00`;
}

/**
 * When the try that was asked for is made: one an hour at most, and never against the network's
 * rules, which postpone it or refuse it for good.
 */
function allowedHour(payer: Payer, state: State, next: NextTry): number {
  if (next.kind !== 'try') return Number.POSITIVE_INFINITY;
  const last = state.tries.at(-1)?.hour ?? payer.failedHour;
  const hour = Math.max(next.hour, state.nowHour, last + 1);
  const judged = judge(payer, state, hour);
  if (judged.kind === 'allowed') return hour;
  state.refusals += 1;
  return judged.until === undefined ? Number.POSITIVE_INFINITY : hourOf(judged.until);
}

function judge(payer: Payer, { history, renewedHour }: State, hour: number): Judgement {
  return judgeCharge(history, {
    network: payer.network,
    credential: 'pan',
    invoiceId: 'invoice',
    at: instantOf(hour),
    initiator: 'mit',
    amountMinor: payer.amountMinor,
    currency: 'USD',
    issuerCountry: 'US',
    acquirerCountry: 'US',
    ...(renewedHour !== undefined && { renewedAt: instantOf(renewedHour) }),
  });
}

function attemptOf(
  hour: number,
  outcome: CardAttempt['outcome'],
  { networkCode, adviceCode }: Decline,
): CardAttempt {
  return {
    id: String(hour),
    invoiceId: 'invoice',
    at: instantOf(hour),
    initiator: 'mit',
    credential: 'pan',
    outcome,
    ...present({ networkCode, adviceCode }),
  };
}

/** Mastercard's fee of a 51 that advises a wait. */
function adviceFee({ parameters }: World, { network }: Payer, decline: Decline): number {
  const { networkCode, adviceCode } = decline;
  const isAdvised = networkCode === '51' && adviceCode !== undefined && adviceCode >= '24';
  return network === 'mastercard' && isAdvised ? parameters.costs.waitAdviceMicros : 0;
}
