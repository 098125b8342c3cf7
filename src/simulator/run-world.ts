import type { SimulatedPolicy } from './observed.ts';
import type { Parameters } from './parameters.ts';
import { drawPayer } from './payer.ts';
import { type Played, playPayment } from './play-payment.ts';
import { buildWorld } from './world.ts';

/** What ended each recovery, by its number in `PlayedWorld.ends`. */
export const endNames: readonly Played['end'][] = [
  'recovered_by_retry',
  'paid_by_payer',
  'cancelled',
  'window_ended',
];

/** A run, one entry for each failure. */
export interface PlayedWorld {
  readonly policy: string;
  readonly failures: number;
  readonly days: number;
  readonly amountsMinor: Int32Array;
  /** Places in `endNames`. */
  readonly ends: Uint8Array;
  /** Hours from the failure to the end. */
  readonly endHours: Uint16Array;
  /** Charges that reached the issuer after the first. */
  readonly tries: Uint16Array;
  readonly feesMicros: Int32Array;
  /** Response codes of the first charges. */
  readonly firstCodes: readonly string[];
  readonly refusals: number;
}

export interface RunInput {
  /** Any whole number; the same one gives the same failures and the same luck. */
  readonly seed: number;
  readonly failures: number;
  /** Days from each failure to the end of its recovery. */
  readonly days: number;
  readonly policy: SimulatedPolicy;
  /** Another world than the published one. */
  readonly parameters?: Parameters;
}

/** Plays the recovery of every failure under a policy. */
export function runWorld(input: RunInput): PlayedWorld {
  const { failures, days, policy } = input;
  const world = buildWorld(input);
  const amountsMinor = new Int32Array(failures);
  const ends = new Uint8Array(failures);
  const endHours = new Uint16Array(failures);
  const tries = new Uint16Array(failures);
  const feesMicros = new Int32Array(failures);
  const firstCodes: string[] = [];
  let refusals = 0;
  for (let index = 0; index < failures; index += 1) {
    const payer = drawPayer(world, index);
    const played = playPayment(world, payer, policy);
    amountsMinor[index] = payer.amountMinor;
    ends[index] = endNames.indexOf(played.end);
    endHours[index] = played.endHour - payer.failedHour;
    tries[index] = played.triedHours.length;
    feesMicros[index] = played.feeMicros;
    firstCodes.push(played.firstDecline.networkCode ?? played.firstDecline.code);
    refusals += played.refusals;
  }
  return {
    policy: policy.name,
    failures,
    days,
    amountsMinor,
    ends,
    endHours,
    tries,
    feesMicros,
    firstCodes,
    refusals,
  };
}
