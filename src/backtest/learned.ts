import { present } from '../domain/present.ts';
import { lacksFunds } from '../policy/learned/belief/lacks-funds.ts';
import { decideLearned } from '../policy/learned/decide-learned.ts';
import { factsOfPlan } from '../policy/learned/facts-of-plan.ts';
import { type LearnedPolicy, learnedDefaults } from '../policy/learned/learned-policy.ts';
import { weekendCalendar } from '../policy/learned/local-time.ts';
import { priorModel } from '../policy/learned/prior-model.ts';
import type {
  CardFacts,
  CardFunding,
  PastCharge,
  PaymentFacts,
  TrainingRow,
} from '../policy/learned/retry-facts.ts';
import { trainModel } from '../policy/learned/training/train-model.ts';
import { sampleUnit } from './back-test.ts';
import {
  type Decision,
  decisionsOf,
  declineAt,
  methodId,
  planInputOf,
  type Terms,
} from './decisions.ts';
import { findEpisodes, groupAttempts } from './episodes.ts';
import type { History } from './history.ts';
import { type BacktestPolicy, timeOf } from './policies.ts';

/** Charges of a payer that are looked back at: those of some years of monthly payments. */
const maxPastCharges = 60;
/** Tries that the model is made from; more of them hardly change it, and take minutes. */
const maxTrainingRows = 50_000;
/** Fewer tries than this teach nothing that the prior model does not know. */
const minTrainingRows = 1_000;

/**
 * The learned policy, without holdout and exploration. Its model is trained from half of the payers,
 * from the prior one, and judged by the other half alone; with too few tries to learn from, the prior
 * model is judged by all.
 */
export function learnedPolicy(history: History, terms: Terms): BacktestPolicy {
  const facts = factsReader(history);
  const rows = trainingRows(history, facts, terms);
  const isTrained = rows.length >= minTrainingRows;
  const model = isTrained
    ? trainModel(rows, { version: 'backtest', calendar: weekendCalendar, prior: priorModel })
    : priorModel;
  const policy: LearnedPolicy = {
    ...learnedDefaults,
    model,
    calendar: weekendCalendar,
    bestFixedDays: [],
    salt: 'backtest',
    holdoutShare: 0,
    learnedShare: 1,
    exploreShare: 0,
  };
  return {
    name: 'learned',
    isSlow: true,
    ...(isTrained && { judges: (customer: number) => !teaches(customer) }),
    nextTryMs: ({ plan, decision, terms: { windowDays, maxAttempts } }) => {
      const settings = { kind: 'fixed', windowDays, maxAttempts, fixedDays: [] } as const;
      return timeOf(
        decideLearned({
          plan: { ...plan, settings },
          payment: facts.payment(decision),
          cards: { [methodId]: facts.card(decision) },
          policy,
        }),
      );
    },
  };
}

/** Whether a payer is of the half that the model is made from. */
function teaches(customer: number): boolean {
  return customer % 2 === 0;
}

interface FactsReader {
  payment(decision: Decision): PaymentFacts;
  card(decision: Decision): CardFacts;
}

function factsReader(history: History): FactsReader {
  const { starts, order } = groupAttempts(history, history.customers, history.customerCount);
  const pastOf = ({ customer, rows }: Decision['episode']): readonly PastCharge[] => {
    const first = rows[0] ?? 0;
    const failedMs = history.atMs[first] ?? 0;
    const past: PastCharge[] = [];
    for (const row of order.subarray(starts[customer] ?? 0, starts[customer + 1] ?? 0)) {
      const atMs = history.atMs[row] ?? 0;
      if (atMs >= failedMs) break;
      const succeeded = history.outcomes[row] === 1;
      const lackedFunds = !succeeded && lacksFunds(declineAt(history, row));
      const amountMinor = history.amountsMinor[row] ?? 0;
      const currency = history.currencyNames[history.currencies[row] ?? 0] ?? 'USD';
      past.push({ atMs, succeeded, amountMinor, currency, ...(lackedFunds && { lackedFunds }) });
    }
    return past.slice(-maxPastCharges);
  };
  return {
    payment({ episode }) {
      const first = episode.rows[0] ?? 0;
      return {
        paymentId: `invoice-${history.invoices[first]}`,
        merchantId: 'merchant',
        amountMinor: history.amountsMinor[first] ?? 0,
        currency: history.currencyNames[history.currencies[first] ?? 0] ?? 'USD',
        utcOffsetMinutes: history.offsets[first] ?? 0,
        past: pastOf(episode),
      };
    },
    card({ lastRow }) {
      const { brand, funding, bin } = history.looks[history.lookOf[lastRow] ?? 0] ?? {};
      const known = fundings.find((name) => name === funding);
      return {
        ...present({ brand, funding: known, bin }),
      };
    },
  };
}

const fundings: readonly CardFunding[] = ['debit', 'credit', 'prepaid'];

function trainingRows(history: History, facts: FactsReader, terms: Terms): readonly TrainingRow[] {
  const { episodes, counts } = findEpisodes(history);
  const share = (2 * maxTrainingRows) / Math.max(1, counts.tries);
  const settings = {
    kind: 'fixed',
    windowDays: terms.windowDays,
    maxAttempts: terms.maxAttempts,
    fixedDays: [],
  } as const;
  return episodes
    .filter(({ customer }) => teaches(customer) && sampleUnit(customer) < share)
    .flatMap((episode) => decisionsOf(history, episode, terms))
    .flatMap((decision) => {
      const { nextRow } = decision;
      if (nextRow === undefined) return [];
      const plan = { ...planInputOf(history, decision, terms), settings };
      const propensity = history.propensities[nextRow] ?? 1;
      return {
        facts: factsOfPlan(plan, methodId, facts.payment(decision), facts.card(decision)),
        atMs: history.atMs[nextRow] ?? 0,
        succeeded: history.outcomes[nextRow] === 1,
        propensity: Number.isNaN(propensity) ? 1 : propensity,
      };
    });
}
