import type { AttemptState } from '../../domain/states.ts';
import type { AttemptResult, Metrics } from '../../metrics.ts';
import type { AnswerStore } from '../../recovery/engine/answers/answer-ports.ts';
import type { PaymentStore } from '../../recovery/engine-ports.ts';

type AttemptCounter = Pick<Metrics, 'countAttempt'>;

/** What an attempt has come to; nothing while it goes on. */
const resultOf: Readonly<Record<AttemptState, AttemptResult | undefined>> = {
  checking: undefined,
  charging: undefined,
  succeeded: 'succeeded',
  declined: 'declined',
  not_attempted: 'not_attempted',
  unknown: 'unknown',
};

/** The engine's store, whose attempts are counted by their result once it is recorded: a step that lost its lease ended none. */
export function countedPayments(metrics: AttemptCounter, payments: PaymentStore): PaymentStore {
  return {
    ...payments,
    async record(outcome) {
      const recorded = await payments.record(outcome);
      if (recorded === 'recorded') count(metrics, outcome.attempt?.state);
      return recorded;
    },
  };
}

/** The same of answers that come after their charge was resolved. */
export function countedAnswers(metrics: AttemptCounter, answers: AnswerStore): AnswerStore {
  return {
    ...answers,
    async record(answer) {
      const recorded = await answers.record(answer);
      if (recorded === 'recorded') count(metrics, answer.attempt?.state);
      return recorded;
    },
  };
}

function count(metrics: AttemptCounter, state: AttemptState | undefined): void {
  const result = state === undefined ? undefined : resultOf[state];
  if (result !== undefined) metrics.countAttempt(result);
}
