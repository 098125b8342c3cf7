import { dayMs, hourMs } from '../../domain/clock.ts';
import { normaliseDecline } from '../../domain/declines/normalise-decline.ts';
import type { TrainingRow } from '../../policy/learned/retry-facts.ts';
import { hourOf } from '../calendar.ts';
import type { Observed, SimulatedPolicy } from '../observed.ts';
import type { ChancePolicy } from '../policies/simple-policies.ts';
import { type DecidedTry, rowOfTry } from '../training-rows.ts';
import type { FailingCharge } from './failing-charges.ts';

/** Charges and tries of a day see the balance at its end. */
const chargeHour = 10;
const maxTries = 100;

const lacksFunds = normaliseDecline({ psp: 'sandbox', network: 'visa', networkCode: '51' });

export interface PlayedCharge {
  readonly recovered: boolean;
  /** Whole days after the failure, the successful try included. */
  readonly triedDays: readonly number[];
  readonly decisions: readonly DecidedTry[];
}

export interface PlayOptions {
  /** Numbers the charge; of chance alone. */
  readonly payment: number;
  /** Whether the policy sees the subscription's earlier charges. */
  readonly seesPast: boolean;
}

/** Plays a failing charge under a policy: a try passes where the day's balance covers the amount. */
export function playCharge(
  charge: FailingCharge,
  policy: SimulatedPolicy,
  { payment, seesPast }: PlayOptions,
): PlayedCharge {
  const { account, day, amount, windowDays } = charge;
  const worldHour = (place: number) =>
    hourOf(new Date((account.firstDay + place) * dayMs + chargeHour * hourMs));
  const failedHour = worldHour(day);
  const midnight = failedHour - chargeHour;
  const past = seesPast
    ? charge.past.map((item) => ({ hour: worldHour(item.day), succeeded: item.succeeded }))
    : [];
  const tries: Observed['tries'][number][] = [];
  const decisions: DecidedTry[] = [];
  while (tries.length < maxTries) {
    const observed: Observed = {
      payment,
      nowHour: tries.at(-1)?.hour ?? failedHour,
      failedHour,
      windowEndHour: failedHour + windowDays * 24,
      amountMinor: Math.round(amount * 100),
      network: 'visa',
      cardFunding: 'debit',
      bin: '400000',
      past,
      firstDecline: lacksFunds,
      tries: [...tries],
    };
    const next = policy.next(observed);
    if (next.kind !== 'try') break;
    const hour = Math.max(next.hour, observed.nowHour + 1);
    if (hour > observed.windowEndHour) break;
    const recovered = (account.balances[day + Math.floor((hour - midnight) / 24)] ?? 0) >= amount;
    decisions.push({ observed, hour, succeeded: recovered });
    if (recovered) return { recovered, triedDays: daysOf(decisions, midnight), decisions };
    tries.push({ hour, decline: lacksFunds });
  }
  return { recovered: false, triedDays: daysOf(decisions, midnight), decisions };
}

function daysOf(decisions: readonly DecidedTry[], midnight: number): readonly number[] {
  return decisions.map(({ hour }) => Math.floor((hour - midnight) / 24));
}

/** What a merchant's log would hold of each try of a charge. */
export function rowsOfCharge(
  charge: FailingCharge,
  policy: ChancePolicy,
  options: PlayOptions,
): readonly TrainingRow[] {
  const paymentId = `${charge.account.accountId}-${charge.day}-${options.payment}`;
  return playCharge(charge, policy, options).decisions.map((decided) =>
    rowOfTry(decided, { policy, merchantId: 'merchant', paymentId }),
  );
}
