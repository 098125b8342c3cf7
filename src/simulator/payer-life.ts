import { mayTryAgain } from '../domain/declines/decline.ts';
import { firstDecline } from './charge.ts';
import { purposes, unitAt } from './draws.ts';
import type { Parameters } from './parameters.ts';
import type { Payer } from './payer.ts';
import type { World } from './world.ts';

/** What ends a recovery whatever a policy does, and when. */
export interface OwnEnd {
  readonly kind: 'paid_by_payer' | 'cancelled' | 'window_ended';
  readonly hour: number;
}

/**
 * What the payer does unasked: pays with another method after a mail, or cancels; else the window
 * ends. Within one day the payment comes first.
 */
export function ownEnd(world: World, payer: Payer): OwnEnd {
  const { seed, days, parameters } = world;
  const { index, failedHour } = payer;
  const isHard = !mayTryAgain(firstDecline(world, payer).category);
  const factor = isHard ? parameters.payerUpdate.hardCodeFactor : 1;
  for (let day = 1; day <= days; day += 1) {
    const begin = failedHour + (day - 1) * 24;
    if (unitAt(seed, index, begin, purposes.payerUpdate) < updateShare(parameters, day) * factor) {
      const luck = unitAt(seed, index, begin + 1, purposes.payerUpdate);
      return { kind: 'paid_by_payer', hour: begin + 1 + Math.floor(luck * 24) };
    }
    if (unitAt(seed, index, begin, purposes.dailyCancel) < parameters.cancel.perDayShare) {
      return { kind: 'cancelled', hour: begin + 24 };
    }
  }
  return { kind: 'window_ended', hour: failedHour + days * 24 };
}

/** Whether the payer cancels because of the try that failed at this hour. */
export function cancelsAfterTry(world: World, payer: Payer, hour: number): boolean {
  const luck = unitAt(world.seed, payer.index, hour, purposes.cancelAfterTry);
  return luck < world.parameters.cancel.perFailedTryShare;
}

/** The chance that a payer pays with another method on a day after the failure, from 1 on. */
function updateShare({ payerUpdate }: Parameters, day: number): number {
  if (day === 1) return payerUpdate.day1Share;
  if (day <= 3) return payerUpdate.days2To3Share;
  return day <= 14 ? payerUpdate.days4To14Share : payerUpdate.laterShare;
}
