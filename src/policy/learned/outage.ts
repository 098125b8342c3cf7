import { hourMs } from '../../domain/clock.ts';
import type { HealthCounters } from './retry-facts.ts';

/** Fewer charges tell nothing. */
const minCharges = 5;
/** Issuers fail technically in 2 % of charges (NPCI bank-months, median); far above that is an outage. */
const outageShare = 0.3;
/** One-sided 95 %. */
const z = 1.645;
const postponeMs = 2 * hourMs;

export type IssuerState =
  | { readonly kind: 'up' }
  | { readonly kind: 'down'; readonly untilMs: number };

/**
 * Whether an issuer is down: the share of late technical declines is surely (Wilson's lower bound)
 * above three in ten. It is taken to last two hours from the last charge that was counted.
 */
export function issuerState(counters: HealthCounters | undefined, nowMs: number): IssuerState {
  if (counters === undefined || counters.charges < minCharges) return { kind: 'up' };
  const untilMs = counters.lastAtMs + postponeMs;
  const isDown = lowerShare(counters.technical, counters.charges) > outageShare;
  return isDown && untilMs > nowMs ? { kind: 'down', untilMs } : { kind: 'up' };
}

function lowerShare(part: number, whole: number): number {
  const share = part / whole;
  const middle = share + z ** 2 / (2 * whole);
  const spread = z * Math.sqrt((share * (1 - share)) / whole + z ** 2 / (4 * whole ** 2));
  return (middle - spread) / (1 + z ** 2 / whole);
}
