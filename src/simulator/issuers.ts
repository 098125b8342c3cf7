import { hourOfDay } from '../policy/learned/local-time.ts';
import { drawsOf, purposes } from './draws.ts';
import type { Parameters } from './parameters.ts';

const hoursInMonth = 730;
const normalP95 = 1.645;

/** The issuing banks of a world: how often each declines without cause, and when it is down. */
export interface Issuers {
  /** Chance from 0 to 1 that a sound charge at this hour is declined, without retry velocity. */
  falseDeclineShare(issuer: number, hour: number): number;
  isDown(issuer: number, hour: number): boolean;
  /** The hour of the year's change of regime. */
  readonly regimeHour: number;
}

/** The issuers of `seed` from hour 0 to `hours`. */
export function buildIssuers(parameters: Parameters, seed: number, hours: number): Issuers {
  const { issuers: count } = parameters.falseDecline;
  const months = Math.ceil(hours / hoursInMonth) + 1;
  const regime = drawsOf(seed, count, purposes.issuers);
  const regimeHour = Math.floor(regime.unit() * parameters.drift.spreadDays * 24);
  const strict = Math.floor(regime.unit() * count);
  const means = new Float64Array(count * months);
  const down = new Uint8Array(count * (hours + 1));
  for (let issuer = 0; issuer < count; issuer += 1) {
    const draws = drawsOf(seed, issuer, purposes.issuers);
    const { meanShare, pseudoObservations } = parameters.falseDecline;
    let mean = draws.beta(meanShare * pseudoObservations, (1 - meanShare) * pseudoObservations);
    for (let month = 0; month < months; month += 1) {
      means[issuer * months + month] = mean;
      mean = clamped(mean + parameters.drift.monthlySd * draws.normal(), 0.002, 0.5);
    }
    const { everyDays, medianMinutes, p95Minutes } = parameters.outage;
    const sd = Math.log(p95Minutes / medianMinutes) / normalP95;
    let at = draws.exponential(everyDays * 24);
    while (at < hours) {
      const end = at + (medianMinutes / 60) * Math.exp(sd * draws.normal());
      for (let hour = Math.ceil(at); hour < end && hour <= hours; hour += 1) {
        down[issuer * (hours + 1) + hour] = 1;
      }
      at = end + draws.exponential(everyDays * 24);
    }
  }
  return {
    regimeHour,
    isDown: (issuer, hour) => down[issuer * (hours + 1) + hour] === 1,
    falseDeclineShare: (issuer, hour) => {
      const month = Math.min(Math.floor(hour / hoursInMonth), months - 1);
      const mean = means[issuer * months + month] ?? 0;
      const factor = issuer === strict && hour >= regimeHour ? parameters.drift.strictFactor : 1;
      return Math.min(1, mean * factor * hourFactor(parameters, hour));
    },
  };
}

/** The factor on false declines of the local hour. */
function hourFactor({ hourOfDay: factors }: Parameters, hour: number): number {
  const local = hourOfDay(hour);
  if (local >= 1 && local < 4) return factors.nightFactor;
  return local >= 18 ? factors.eveningFactor : 1;
}

function clamped(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
