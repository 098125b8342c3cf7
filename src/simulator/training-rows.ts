import type { RetryFacts, TrainingRow } from '../policy/learned/retry-facts.ts';
import { instantOf } from './calendar.ts';
import type { Observed, SimulatedPolicy } from './observed.ts';
import { drawPayer, type Payer } from './payer.ts';
import { type Played, playPayment } from './play-payment.ts';
import { cardFacts, paymentFacts } from './policies/learned.ts';
import type { ChancePolicy } from './policies/simple-policies.ts';
import type { RunInput } from './run-world.ts';
import { buildWorld, type World } from './world.ts';

/** Plays failures under a policy and gives what a merchant's own log would hold of each try. */
export function trainingRows(
  input: Omit<RunInput, 'policy'> & { readonly policy: ChancePolicy; readonly merchantId?: string },
): readonly TrainingRow[] {
  const { failures, policy, merchantId = 'merchant' } = input;
  const world = buildWorld(input);
  return Array.from({ length: failures }, (_, index) =>
    playForRows(world, drawPayer(world, index), { policy, merchantId }),
  ).flatMap(({ rows }) => rows);
}

/** Plays one payer's recovery: how it went, and the log's rows of it. */
export function playForRows(
  world: World,
  payer: Payer,
  { policy, merchantId }: { readonly policy: ChancePolicy; readonly merchantId: string },
): { readonly played: Played; readonly rows: readonly TrainingRow[] } {
  const seen: Observed[] = [];
  const recorder: SimulatedPolicy = {
    name: policy.name,
    next: (observed) => {
      seen[observed.tries.length] = observed;
      return policy.next(observed);
    },
  };
  const played = playPayment(world, payer, recorder);
  const { triedHours, end } = played;
  const paymentId = `${world.seed}-${payer.index}`;
  const rows = triedHours.flatMap((hour, count): readonly TrainingRow[] => {
    const observed = seen[count];
    if (observed === undefined) return [];
    const isLast = count === triedHours.length - 1;
    return [
      rowOfTry(
        { observed, hour, succeeded: isLast && end === 'recovered_by_retry' },
        { policy, merchantId, paymentId },
      ),
    ];
  });
  return { played, rows };
}

/** A try that a policy chose: what it saw, and what came. */
export interface DecidedTry {
  readonly observed: Observed;
  readonly hour: number;
  readonly succeeded: boolean;
}

/** The log's row of a try. */
export function rowOfTry(
  { observed, hour, succeeded }: DecidedTry,
  of: { readonly policy: ChancePolicy; readonly merchantId: string; readonly paymentId: string },
): TrainingRow {
  const { policy, merchantId, paymentId } = of;
  return {
    facts: { ...factsOf(observed, policy), merchantId, paymentId },
    atMs: instantOf(hour).getTime(),
    succeeded,
    propensity: policy.propensity(observed),
  };
}

function factsOf(observed: Observed, { maxAttempts }: ChancePolicy): RetryFacts {
  const { nowHour, failedHour, windowEndHour, firstDecline, tries, renewedHour } = observed;
  return {
    ...paymentFacts(observed),
    ...cardFacts(observed),
    nowMs: instantOf(nowHour).getTime(),
    failedAtMs: instantOf(failedHour).getTime(),
    windowEndsAtMs: instantOf(windowEndHour).getTime(),
    firstDecline,
    tries: tries.map(({ hour, decline }) => ({ atMs: instantOf(hour).getTime(), decline })),
    triesLeft: Math.max(1, maxAttempts - tries.length),
    ...(renewedHour !== undefined && { renewedAtMs: instantOf(renewedHour).getTime() }),
  };
}
