import { unitOf } from '../../src/policy/learned/hash.ts';
import { priorModel } from '../../src/policy/learned/prior-model.ts';
import {
  judgeTakeOver,
  type TakeOverGroup,
  type TakeOverStep,
} from '../../src/policy/learned/steps/take-over.ts';
import { wrongModel } from '../../src/simulator/end-to-end/wrong-model.ts';
import { parameters } from '../../src/simulator/parameters.ts';
import { drawPayer } from '../../src/simulator/payer.ts';
import { playPayment } from '../../src/simulator/play-payment.ts';
import { learnedPolicy } from '../../src/simulator/policies/learned.ts';
import { decidePolicy } from '../../src/simulator/policies/simple-policies.ts';
import { buildWorld } from '../../src/simulator/world.ts';
import { calendar } from './compare.ts';

const [maxAttempts, holdoutShare, spreadDays, groupCount] = [4, 0.1, 180, 256];
/** The service looks every six hours; a look a day notices no earlier. */
const lookHours = 24;
const sizes = { quick: 2, full: 6 } as const;

/** A payment of the played world: when it failed, and whether each policy recovers it. */
interface Failure {
  readonly hour: number;
  /** Decides the arm. */
  readonly place: number;
  readonly group: number;
  readonly wrong: number;
  readonly even: number;
}

interface Course {
  /** Days until the first step back, and until the policy plans at most a tenth; the played days where never. */
  readonly firstDays: number;
  readonly tenthDays: number;
  /** Of all payments of the played days: recovered less than by the even spread, as a share. */
  readonly lost: number;
}

/**
 * `npm run bench -- wrong [--quick]`: a learned policy that is wrong on purpose, and as sure of itself as
 * a good one, so that no chance that it predicts gives it away. How long it plans, by the service's own
 * steps, and what that costs: from its trial on, and where it had earned nine tenths before.
 */
export async function wrong(): Promise<void> {
  const seeds = sizes[process.argv.includes('--quick') ? 'quick' : 'full'];
  process.stdout.write(
    '| window | failures a day | begins at | even | wrong | first step back, days | at most a tenth, days | lost in half a year, points |\n' +
      '| --- | --- | --- | --- | --- | --- | --- | --- |\n',
  );
  for (const [windowDays, failuresPerDay] of [
    [14, 100],
    [28, 100],
    [28, 30],
  ] as const) {
    const worlds = Array.from({ length: seeds }, (_, seed) =>
      failuresOf(11_000 + seed, windowDays, failuresPerDay * spreadDays),
    );
    for (const begin of [0, 0.9] as const) {
      const courses = worlds.map((failures) => follow(failures, windowDays, begin));
      const share = (of: (failure: Failure) => number) =>
        worlds.flat().reduce((sum, failure) => sum + of(failure), 0) / worlds.flat().length;
      const cells = [
        `${windowDays} days`,
        failuresPerDay,
        `${begin * 100} %`,
        `${percent(share(({ even }) => even))} %`,
        `${percent(share((failure) => failure.wrong))} %`,
        range(courses.map(({ firstDays }) => firstDays)),
        range(courses.map(({ tenthDays }) => tenthDays)),
        range(courses.map(({ lost }) => 100 * lost)),
      ];
      process.stdout.write(`| ${cells.join(' | ')} |\n`);
    }
  }
}

/** The failures of a world in order of time, each played under both policies. */
function failuresOf(seed: number, windowDays: number, count: number): readonly Failure[] {
  const drift = { ...parameters.drift, spreadDays };
  const world = buildWorld({ seed, days: windowDays, parameters: { ...parameters, drift } });
  const model = wrongModel(priorModel);
  const bad = learnedPolicy({ model, calendar, windowDays, maxAttempts });
  const even = decidePolicy('even', { kind: 'even', windowDays, maxAttempts });
  return Array.from({ length: count }, (_, index): Failure => {
    const payer = drawPayer(world, index);
    const recovered = (policy: typeof bad) => {
      const { end } = playPayment(world, payer, policy);
      return end === 'recovered_by_retry' || end === 'paid_by_payer' ? 1 : 0;
    };
    return {
      hour: payer.failedHour,
      place: unitOf(`${seed}-${index}`, 'holdout'),
      group: Math.floor(unitOf(`${seed}-${index}`, 'group') * groupCount),
      wrong: recovered(bad),
      even: recovered(even),
    };
  }).toSorted((a, b) => a.hour - b.hour);
}

/** Half a year of looks: which share the wrong policy plans, and what it costs. */
function follow(failures: readonly Failure[], windowDays: number, begin: TakeOverStep): Course {
  let step = begin;
  let [since, failedTrials] = [0, 0];
  let [firstDays, tenthDays, lost, next] = [spreadDays, begin === 0 ? 0 : spreadDays, 0, 0];
  const isLearned = ({ place }: Failure) => place >= Math.max(holdoutShare, 1 - step);
  for (let hour = 0; hour < spreadDays * 24; hour += lookHours) {
    for (; (failures[next]?.hour ?? Number.POSITIVE_INFINITY) < hour + lookHours; next += 1) {
      const failure = failures[next];
      if (failure !== undefined && isLearned(failure)) lost += failure.even - failure.wrong;
    }
    const ended = failures.filter((one) => one.hour >= since && one.hour < hour - windowDays * 24);
    const verdict = judgeTakeOver({
      step,
      hasTrainedModel: true,
      groups: groupsOf(ended, isLearned),
      trials: { failedTrials, windowDays, daysSince: (hour - since) / 24, isAnother: false },
    });
    failedTrials = verdict.failedTrials;
    if (verdict.step === step) continue;
    if (verdict.step < step) {
      firstDays = Math.min(firstDays, hour / 24);
      if (verdict.step <= 0.1) tenthDays = Math.min(tenthDays, hour / 24);
    }
    step = verdict.step;
    since = hour;
  }
  return { firstDays, tenthDays, lost: lost / failures.length };
}

function groupsOf(
  failures: readonly Failure[],
  isLearned: (failure: Failure) => boolean,
): readonly TakeOverGroup[] {
  const groups = Array.from({ length: groupCount }, () => ({
    learned: 0,
    learnedPaid: 0,
    scheduled: 0,
    scheduledPaid: 0,
  }));
  for (const failure of failures) {
    const group = groups[failure.group];
    if (group === undefined) continue;
    if (isLearned(failure)) {
      group.learned += 1;
      group.learnedPaid += failure.wrong;
    } else {
      group.scheduled += 1;
      group.scheduledPaid += failure.even;
    }
  }
  return groups;
}

/** The middle one, and from the least to the most. */
function range(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  return `${at(0.5)} (${at(0)} to ${at(1)})`;
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}
