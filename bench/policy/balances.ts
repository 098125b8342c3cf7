import { readFileSync } from 'node:fs';
import { unitOf } from '../../src/policy/learned/hash.ts';
import { learnedDefaults } from '../../src/policy/learned/learned-policy.ts';
import { weekendCalendar } from '../../src/policy/learned/local-time.ts';
import type { PolicyModel } from '../../src/policy/learned/policy-model.ts';
import { priorModel } from '../../src/policy/learned/prior-model.ts';
import type { TrainingRow } from '../../src/policy/learned/retry-facts.ts';
import { trainModel } from '../../src/policy/learned/training/train-model.ts';
import {
  type FailingCharge,
  failingCharges,
} from '../../src/simulator/balances/failing-charges.ts';
import { playCharge, rowsOfCharge } from '../../src/simulator/balances/play-charge.ts';
import { readBalances } from '../../src/simulator/balances/read-balances.ts';
import type { SimulatedPolicy } from '../../src/simulator/observed.ts';
import { dayOfMonthPolicy } from '../../src/simulator/policies/day-of-month.ts';
import { fixedCandidates } from '../../src/simulator/policies/fixed-candidates.ts';
import { learnedPolicy } from '../../src/simulator/policies/learned.ts';
import { decidePolicy, randomPolicy } from '../../src/simulator/policies/simple-policies.ts';
import { survivalPolicy } from '../../src/simulator/policies/survival.ts';
import { balancesPage, type PolicyResult } from './balances-page.ts';

const defaultAmounts = '16000,24000,32000';
const budgets = [
  { maxAttempts: 4, windowDays: 28 },
  { maxAttempts: 4, windowDays: 60 },
  { maxAttempts: 8, windowDays: 28 },
  { maxAttempts: 8, windowDays: 60 },
  { maxAttempts: 4, windowDays: 14 },
];
/** Charges of the training part that are logged: a merchant of some size. */
const maxLogged = 4_000;
/** What one log and one halving happen to hold moves a figure by a point and more. */
const halvings = { quick: 3, full: 5 } as const;

interface Cell {
  readonly amount: number;
  readonly maxAttempts: number;
  readonly windowDays: number;
}

/**
 * `npm run bench -- balances FILE [--quick] [--amounts 16000,24000]` replays policies on real bank
 * balances: a CSV file of `account,date,balance`. Trained on one half of the accounts and tested on
 * the other, both ways, for several halvings of the accounts with a log of their own.
 */
export async function balances(): Promise<void> {
  const file = process.argv[process.argv.indexOf('balances') + 1];
  if (file === undefined || file.startsWith('--')) throw new Error('name a file of balances');
  const read = readBalances(readFileSync(file, 'utf8'));
  if (read.kind === 'malformed') throw new Error(`${file}, line ${read.line}: ${read.reason}`);
  const isQuick = process.argv.includes('--quick');
  const given = process.argv.indexOf('--amounts');
  const amounts = (given < 0 ? defaultAmounts : (process.argv[given + 1] ?? '')).split(',');
  const cells = budgets.flatMap((budget) =>
    amounts.map((amount) => ({ amount: Number(amount), ...budget })),
  );
  for (const [place, cell] of cells.entries()) {
    const charges = failingCharges(read.accounts, cell);
    const played = Array.from({ length: halvings[isQuick ? 'quick' : 'full'] }, (_, halving) =>
      playHalving(cell, charges, halving, isQuick),
    );
    const accounts = charges.map(({ account }) => account.accountId);
    process.stdout.write(balancesPage({ ...cell, accounts, halvings: played }, place === 0));
  }
}

/** Both ways: each charge is tested once, by what was trained on the other half. */
function playHalving(
  cell: Cell,
  charges: readonly FailingCharge[],
  halving: number,
  isQuick: boolean,
): readonly PolicyResult[] {
  const salt = halving === 0 ? 'half' : `half-${halving}`;
  const isFirst = charges.map(({ account }) => unitOf(account.accountId, salt) < 0.5);
  const results = new Map<string, { recovered: Uint8Array; tries: number; words: string[] }>();
  for (const tested of [false, true]) {
    const learnFrom = charges.filter((_, at) => isFirst[at] !== tested);
    for (const { name, policy, seesPast, words } of policiesOf(cell, learnFrom, halving, isQuick)) {
      const result = results.get(name) ?? {
        recovered: new Uint8Array(charges.length),
        tries: 0,
        words: [],
      };
      results.set(name, result);
      if (words !== '') result.words.push(words);
      charges.forEach((charge, payment) => {
        if (isFirst[payment] !== tested) return;
        const { recovered, triedDays } = playCharge(charge, policy, { payment, seesPast });
        result.recovered[payment] = recovered ? 1 : 0;
        result.tries += triedDays.length;
      });
    }
  }
  return [...results].map(([name, result]) => ({ name, ...result }));
}

interface Contender {
  readonly name: string;
  readonly policy: SimulatedPolicy;
  readonly seesPast: boolean;
  /** What was chosen on the training part; empty where nothing was. */
  readonly words: string;
}

function policiesOf(
  cell: Cell,
  learnFrom: readonly FailingCharge[],
  halving: number,
  isQuick: boolean,
): readonly Contender[] {
  const { maxAttempts, windowDays } = cell;
  const plain = (name: string, policy: SimulatedPolicy, words = ''): Contender => ({
    name,
    policy,
    seesPast: false,
    words,
  });
  const [blind, seeing] = [false, true].map((seesPast) =>
    rowsOf(cell, learnFrom, halving, seesPast),
  );
  const learned = (name: string, model: PolicyModel, seesPast: boolean): Contender => ({
    name,
    seesPast,
    words: model.use,
    policy: learnedPolicy({
      model,
      calendar: weekendCalendar,
      windowDays,
      maxAttempts,
      policy: { costs: { ...learnedDefaults.costs, lossPerDay: 0 } },
    }),
  });
  const options = { version: 'balances', calendar: weekendCalendar };
  const known = learned(
    'trained',
    trainModel(seeing ?? [], { ...options, prior: priorModel }),
    true,
  );
  const best = isQuick ? undefined : bestOf(cell, learnFrom);
  return [
    plain('1/3/5/7', fixed1357(cell)),
    plain('even', evenPolicy(cell)),
    plain('day of month', dayOfMonthPolicy(blind ?? [], cell)),
    ...(best === undefined
      ? []
      : [
          plain('best fixed', best, best.name),
          plain('oracle', oraclePolicy),
          plain('survival', survivalPolicy(blind ?? [], cell)),
          { ...learned('shipped model', priorModel, true), words: '' },
          learned(
            'belief, prior',
            trainModel(seeing ?? [], { ...options, prior: priorModel, use: 'boosted' }),
            true,
          ),
          learned(
            'belief, no past',
            trainModel(blind ?? [], { ...options, use: 'boosted' }),
            false,
          ),
          learned('belief, past', trainModel(seeing ?? [], { ...options, use: 'boosted' }), true),
        ]),
    known,
  ];
}

function evenPolicy({ maxAttempts, windowDays }: Cell): SimulatedPolicy {
  return decidePolicy('even', { kind: 'even', maxAttempts, windowDays });
}

function fixed1357({ maxAttempts, windowDays }: Cell): SimulatedPolicy {
  const fixedDays = [1, 3, 5, 7];
  return decidePolicy('1/3/5/7', { kind: 'fixed', maxAttempts, windowDays, fixedDays });
}

/** Every day of the window: what any schedule could reach. */
const oraclePolicy: SimulatedPolicy = {
  name: 'oracle',
  next: ({ failedHour, nowHour }) => ({ kind: 'try', hour: Math.max(nowHour, failedHour) + 24 }),
};

/** Of the fixed family and the even spread. */
function bestOf(cell: Cell, charges: readonly FailingCharge[]): SimulatedPolicy {
  const family = [evenPolicy(cell), ...fixedCandidates(cell.windowDays, cell.maxAttempts)];
  const scored = family.map((policy) => ({
    policy,
    count: charges.filter(
      (charge, payment) => playCharge(charge, policy, { payment, seesPast: false }).recovered,
    ).length,
  }));
  return scored.reduce((a, b) => (b.count > a.count ? b : a)).policy;
}

/** The log of tries at random hours, one recovery of each charge. */
function rowsOf(
  { maxAttempts }: Cell,
  charges: readonly FailingCharge[],
  halving: number,
  seesPast: boolean,
): readonly TrainingRow[] {
  const step = Math.max(1, Math.ceil(charges.length / maxLogged));
  const policy = randomPolicy(7 + halving, maxAttempts);
  return charges.flatMap((charge, payment) =>
    payment % step === 0 ? rowsOfCharge(charge, policy, { payment, seesPast }) : [],
  );
}
