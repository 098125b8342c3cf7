import { parentPort } from 'node:worker_threads';
import { backTest } from '../../backtest/back-test.ts';
import { createHistory, type History } from '../../backtest/history.ts';
import { learnedPolicy } from '../../backtest/learned.ts';
import { type BacktestPolicy, daysPolicy, evenPolicy } from '../../backtest/policies.ts';
import { invariant } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import type { WhatIfResult, WhatIfTerms } from '../../recovery/what-if/what-if-ports.ts';
import { yieldThread } from '../process/yield-thread.ts';
import type { TesterCall } from './start-tester.ts';

/**
 * The testing thread: it keeps charges in columns, and puts one policy to them. It answers each call
 * once, and ends with whoever started it. A thread for the reason that training has one.
 */
const history = createHistory({ timeZone: 'UTC' });

/** As `recoup backtest` has them, so that both say the same of the same history. */
const toleranceHours = 12;
const maxDecisions = 100_000;
const seed = 1;

yieldThread();

parentPort?.on('message', (call: TesterCall) => {
  parentPort?.postMessage(answer(call));
});

function answer(call: TesterCall): WhatIfResult | undefined {
  switch (call.kind) {
    case 'charges':
      for (const charge of call.charges) history.add(charge);
      return undefined;
    case 'test':
      return test(history.finish(), call.terms);
  }
}

function test(
  all: History,
  { isCapped, ...terms }: WhatIfTerms & { readonly isCapped: boolean },
): WhatIfResult {
  const { windowDays, maxAttempts } = terms;
  const policy = policyOf(all, terms);
  const { counts, runs } = backTest({
    history: all,
    policies: [policy],
    terms: [{ windowDays, maxAttempts }],
    toleranceHours,
    maxDecisions,
    seed,
  });
  const [run] = runs;
  const [verdict] = run?.policies ?? [];
  invariant(run !== undefined && verdict !== undefined, 'one policy and one term give one verdict');
  return present({
    charges: all.attempts,
    isCapped,
    failures: counts.failures,
    decisions: run.decisions,
    askedShare: run.sampledShare,
    isTrained: policy.judges !== undefined,
    propensities: run.propensities,
    asked: verdict.decisions,
    wouldTry: verdict.wouldTry,
    medianDelayDays: verdict.medianDelayDays,
    logged: run.logged,
    nextTry: verdict.perDecision,
    payment: verdict.wholeSequence,
    money: verdict.money,
  });
}

function policyOf(all: History, { policy, fixedDays, ...terms }: WhatIfTerms): BacktestPolicy {
  switch (policy) {
    case 'learned':
      return learnedPolicy(all, terms);
    case 'fixed':
      return daysPolicy('fixed', fixedDays);
    case 'even':
      return evenPolicy;
  }
}
