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
import { type AccountBalances, readBalances } from '../../src/simulator/balances/read-balances.ts';
import type { SimulatedPolicy } from '../../src/simulator/observed.ts';
import { dayOfMonthPolicy } from '../../src/simulator/policies/day-of-month.ts';
import { fixedCandidates } from '../../src/simulator/policies/fixed-candidates.ts';
import { learnedPolicy } from '../../src/simulator/policies/learned.ts';
import { decidePolicy, randomPolicy } from '../../src/simulator/policies/simple-policies.ts';
import { balancesPage, type CellResult, type ChargeResult } from './balances-page.ts';

const amounts = [16_000, 24_000, 32_000];
const budgets = [
  { maxAttempts: 4, windowDays: 14 },
  { maxAttempts: 4, windowDays: 28 },
  { maxAttempts: 4, windowDays: 60 },
  { maxAttempts: 8, windowDays: 28 },
  { maxAttempts: 8, windowDays: 60 },
];
/** Charges of the training part that are logged: a merchant of some size. */
const maxLogged = 4_000;

interface Cell {
  readonly amount: number;
  readonly maxAttempts: number;
  readonly windowDays: number;
}

/**
 * `npm run bench -- balances FILE [--quick]` replays policies on real bank balances: a CSV file of
 * `account,date,balance`. Trained on one half of the accounts and tested on the other, both ways.
 */
export async function balances(): Promise<void> {
  const file = process.argv[process.argv.indexOf('balances') + 1];
  if (file === undefined || file.startsWith('--')) throw new Error('name a file of balances');
  const read = readBalances(readFileSync(file, 'utf8'));
  if (read.kind === 'malformed') throw new Error(`${file}, line ${read.line}: ${read.reason}`);
  const isQuick = process.argv.includes('--quick');
  const halves = [0, 1].map((half) =>
    read.accounts.filter(({ accountId }) => Number(unitOf(accountId, 'half') < 0.5) === half),
  );
  const cells = amounts.flatMap((amount) => budgets.map((budget) => ({ amount, ...budget })));
  for (const [place, cell] of cells.entries()) {
    const results = [
      ...testHalf(cell, halves[0] ?? [], halves[1] ?? [], isQuick),
      ...testHalf(cell, halves[1] ?? [], halves[0] ?? [], isQuick),
    ];
    process.stdout.write(balancesPage({ ...cell, results }, place === 0));
  }
}

function testHalf(
  cell: Cell,
  training: readonly AccountBalances[],
  testing: readonly AccountBalances[],
  isQuick: boolean,
): readonly CellResult[] {
  const learnFrom = failingCharges(training, cell);
  const charges = failingCharges(testing, cell);
  const policies = policiesOf(cell, learnFrom, isQuick);
  return policies.map(({ policy, seesPast, words, name }) => ({
    name,
    words,
    charges: charges.map((charge, payment): ChargeResult => {
      const { recovered, triedDays } = playCharge(charge, policy, { payment, seesPast });
      return { account: charge.account.accountId, recovered, tries: triedDays.length };
    }),
  }));
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
  isQuick: boolean,
): readonly Contender[] {
  const { maxAttempts, windowDays } = cell;
  const plain = (name: string, policy: SimulatedPolicy, words = ''): Contender => ({
    name,
    policy,
    seesPast: false,
    words,
  });
  const family = [evenPolicy(cell), ...fixedCandidates(windowDays, maxAttempts)];
  const best = bestOf(family, learnFrom);
  const [blind, seeing] = [false, true].map((seesPast) => rowsOf(cell, learnFrom, seesPast));
  const learned = (name: string, model: PolicyModel, seesPast: boolean): Contender => ({
    name,
    seesPast,
    words: `${model.use}, log loss ${model.metrics[model.use]?.logLoss ?? 0}`,
    policy: learnedPolicy({
      model,
      calendar: weekendCalendar,
      windowDays,
      maxAttempts,
      policy: { costs: { ...learnedDefaults.costs, lossPerDay: 0 } },
    }),
  });
  const options = { version: 'balances', calendar: weekendCalendar };
  const known = learned('trained', trainModel(seeing ?? [], options), true);
  return [
    plain('1/3/5/7', fixed1357(cell)),
    plain('even', evenPolicy(cell)),
    plain('best fixed', best, best.name),
    plain('day of month', dayOfMonthPolicy(blind ?? [], cell)),
    { ...learned('shipped model', priorModel, true), words: '' },
    ...(isQuick
      ? []
      : [
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
    learned('coverage', trainModel(blind ?? [], { ...options, use: 'coverage' }), false),
    known,
    plain('oracle', oraclePolicy),
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

function bestOf(
  family: readonly SimulatedPolicy[],
  charges: readonly FailingCharge[],
): SimulatedPolicy {
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
  seesPast: boolean,
): readonly TrainingRow[] {
  const step = Math.max(1, Math.ceil(charges.length / maxLogged));
  const policy = randomPolicy(7, maxAttempts);
  return charges.flatMap((charge, payment) =>
    payment % step === 0 ? rowsOfCharge(charge, policy, { payment, seesPast }) : [],
  );
}
