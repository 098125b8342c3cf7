import { mayTryAgain } from '../domain/declines/decline.ts';
import { hourOfDay } from '../policy/learned/local-time.ts';
import { charge, firstDecline, isFalselyDeclined } from './charge.ts';
import type { SimulatedPolicy } from './observed.ts';
import type { Parameters } from './parameters.ts';
import { drawPayer, type Payer } from './payer.ts';
import { codeAwarePolicy } from './policies/code-aware.ts';
import { dayPolicy, fixedFamily } from './policies/fixed-family.ts';
import { runWorld } from './run-world.ts';
import { type Summary, summarise } from './summarise.ts';
import { buildWorld, type World } from './world.ts';

/** One published fact that the world must show, with the band in which it lies. */
export interface AcceptanceTarget {
  readonly name: string;
  /** Where the band is from. */
  readonly source: string;
  readonly low: number;
  readonly high: number;
}

/** What a world shows of a target. */
export interface AcceptanceResult extends AcceptanceTarget {
  readonly value: number;
  readonly isMet: boolean;
}

/** The world's claim to be like the real one; shares are from 0 to 1. */
export const acceptanceTargets = {
  fundsAndGenericCodes: target('first failures with code 51 or 05', 0.7, 0.76, 'Adyen; Visa'),
  fundsCause: target('first failures for want of funds', 0.54, 0.58, 'Primer: 56 %'),
  day1: target('first retry after 1 day, of soft declines', 0.1, 0.15, 'Slicker'),
  day3: target('first retry after 3 days, of soft declines', 0.2, 0.3, 'Slicker; Dunning Compare'),
  wellTimed: target('first retry well timed (code_aware)', 0.25, 0.35, 'Pagos; Slicker'),
  silent: target('recovered by retries after 1 and 3 days', 0.15, 0.21, 'Churn Buster'),
  total: target('recovered in all under 1_3_5_7', 0.4, 0.53, 'Churn Buster; Recurly'),
  bestFixed: target(
    'recovered in all under the best fixed schedule',
    0.53,
    0.57,
    'Recurly; Stripe',
  ),
  retryShare: target('recoveries that are by retries, 1_3_5_7', 0.6, 0.63, 'Churn Buster'),
  within10Days: target('recoveries within 10 days, 1_3_5_7', 0.87, 0.93, 'Recurly: 90 %'),
  nightRatio: target('false declines at 01 to 04 against 09 to 17', 1.39, 1.55, 'Recurly'),
  fundsLead: target('code 51 recovers best of the five most frequent (1: yes)', 1, 1, 'Recurly'),
} as const satisfies Readonly<Record<string, AcceptanceTarget>>;

type TargetName = keyof typeof acceptanceTargets;

/** The window that the published figures are of. */
const days = 28;

export interface AcceptanceInput {
  readonly seed: number;
  readonly failures: number;
  readonly parameters?: Parameters;
}

/** Measures every target in the world of a seed. */
export function measureAcceptance(input: AcceptanceInput): readonly AcceptanceResult[] {
  const values = { ...probeWorld(input), ...runPolicies(input) };
  return (Object.keys(acceptanceTargets) as TargetName[]).map((name) => {
    const wanted = acceptanceTargets[name];
    const value = values[name];
    return { ...wanted, value, isMet: value >= wanted.low && value <= wanted.high };
  });
}

type Values<Name extends TargetName> = Readonly<Record<Name, number>>;

/** What single charges show, without any policy. */
function probeWorld(
  input: AcceptanceInput,
): Values<'fundsAndGenericCodes' | 'fundsCause' | 'day1' | 'day3' | 'nightRatio'> {
  const world = buildWorld({ ...input, days });
  const payers = Array.from({ length: input.failures }, (_, index) => drawPayer(world, index));
  const soft = payers.filter((payer) => mayTryAgain(firstDecline(world, payer).category));
  const codes = payers.map((payer) => firstDecline(world, payer).networkCode);
  return {
    fundsAndGenericCodes: share(codes, (code) => code === '51' || code === '05'),
    fundsCause: share(payers, ({ cause }) => cause.kind === 'funds'),
    day1: share(soft, (payer) => passesAfter(world, payer, 1)),
    day3: share(soft, (payer) => passesAfter(world, payer, 3)),
    nightRatio: nightRatio(world, payers),
  };
}

function passesAfter(world: World, payer: Payer, day: number): boolean {
  return charge(world, payer, payer.failedHour + day * 24, []).kind === 'approved';
}

/** Each payer is probed at every hour of this many days. */
const probedDays = 7;

function nightRatio(world: World, payers: readonly Payer[]): number {
  const night = { probes: 0, declines: 0 };
  const office = { probes: 0, declines: 0 };
  for (const payer of payers) {
    for (let count = 1; count <= probedDays * 24; count += 1) {
      const hour = payer.failedHour + count;
      const local = hourOfDay(hour);
      const isNight = local >= 1 && local < 4;
      if (!isNight && (local < 9 || local >= 17)) continue;
      const tally = isNight ? night : office;
      tally.probes += 1;
      if (isFalselyDeclined(world, payer, hour, [])) tally.declines += 1;
    }
  }
  return night.declines / night.probes / (office.declines / office.probes);
}

/** What recoveries show, each under its policy. */
function runPolicies(
  input: AcceptanceInput,
): Values<
  'wellTimed' | 'silent' | 'total' | 'bestFixed' | 'retryShare' | 'within10Days' | 'fundsLead'
> {
  const run = (policy: SimulatedPolicy) => summarise(runWorld({ ...input, days, policy }));
  const family = fixedFamily(days).map(run);
  const best = family.reduce((a, b) => (b.recoveredShare > a.recoveredShare ? b : a));
  const usual = family.find(({ policy }) => policy === '1_3_5_7') ?? best;
  const early = run(dayPolicy('1_3', days, [1, 3]));
  const timed = run(codeAwarePolicy(1));
  return {
    wellTimed: (timed.byRetryShare * timed.failures) / timed.tries,
    silent: early.byRetryShare,
    total: usual.recoveredShare,
    bestFixed: best.recoveredShare,
    retryShare: usual.byRetryShare / usual.recoveredShare,
    within10Days: usual.within10DaysShare ?? 0,
    fundsLead: isLedByFunds(best) ? 1 : 0,
  };
}

function isLedByFunds({ codes }: Summary): boolean {
  const top = codes.slice(0, 5);
  const funds = top.find(({ code }) => code === '51');
  return top.every(({ recoveredShare }) => recoveredShare <= (funds?.recoveredShare ?? 0));
}

function share<Item>(items: readonly Item[], isCounted: (item: Item) => boolean): number {
  return items.filter(isCounted).length / items.length;
}

function target(name: string, low: number, high: number, source: string): AcceptanceTarget {
  return { name, source, low, high };
}
