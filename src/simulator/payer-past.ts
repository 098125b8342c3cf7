import { hourMonthsBefore } from './calendar.ts';
import { drawsOf, purposes } from './draws.ts';
import { type FundedHours, fundedHours, isFunded } from './funds.ts';
import type { PastObserved } from './observed.ts';
import type { Payer } from './payer.ts';
import type { World } from './world.ts';

/**
 * The payer's earlier charges, the oldest first: one a month, and the tries of those that the account
 * did not cover. The same for every policy.
 */
export function payerPast(world: World, payer: Payer): readonly PastObserved[] {
  const { monthsHigh, tries, withinDays } = world.parameters.past;
  const draws = drawsOf(world.seed, payer.index, purposes.past);
  const months = Math.floor(draws.unit() * (monthsHigh + 1));
  const fromHour = hourMonthsBefore(payer.failedHour, months);
  const funded = fundedBefore(world, payer, fromHour);
  const past: PastObserved[] = [];
  for (let before = months; before > 0; before -= 1) {
    const renewedHour = hourMonthsBefore(payer.failedHour, before);
    const retried = Array.from({ length: tries }, () => {
      return renewedHour + 1 + Math.floor(draws.unit() * (withinDays * 24 - 1));
    });
    for (const hour of [renewedHour, ...retried.sort((a, b) => a - b)]) {
      const succeeded = funded === undefined || isFunded(funded, hour);
      past.push({ hour, succeeded });
      if (succeeded) break;
    }
  }
  return past;
}

/** When the account could pay before the failure; undefined where charges passed whenever they came. */
function fundedBefore(
  world: World,
  { cause, index, failedHour }: Payer,
  fromHour: number,
): FundedHours | undefined {
  if (cause.kind !== 'funds' || cause.account === undefined) return undefined;
  const { parameters, calendar, seed } = world;
  const draws = drawsOf(seed, index, purposes.pastPay);
  const { regimeHour } = world.issuers;
  const of = { parameters, calendar, regimeHour, draws, irregular: draws };
  return fundedHours(of, cause.account, { fromHour, toHour: failedHour });
}
