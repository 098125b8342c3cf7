import { AppError } from '../../domain/errors.ts';
import type { Random } from '../../domain/random.ts';
import type { PaymentStore } from '../../recovery/engine-ports.ts';
import { learnCard } from '../cards/learn-cards.ts';
import type { Database } from '../database.ts';
import { groupCommit } from '../group-commit.ts';
import { beginCharges } from './charges.ts';
import { claimDuePayments, loadPaymentContext } from './due-payments.ts';
import { recordOutcomes } from './outcomes.ts';
import { renewLease } from './renew-lease.ts';
import { requestStop } from './stop-request.ts';

const maxBatchSize = 128;
const maxInFlight = 2;

/** The engine's store on PostgreSQL: steps of payments that run beside each other share commits. */
export function createPaymentStore(deps: {
  readonly db: Database;
  readonly random: Random;
}): PaymentStore {
  const { db } = deps;
  const isolate = (error: unknown): boolean => !(error instanceof AppError);
  return {
    claimDue: (input) => claimDuePayments(deps, input),
    load: (input) => loadPaymentContext(db, input),
    renewLease: (input) => renewLease(db, input),
    beginCharge: groupCommit({
      run: (charges) => beginCharges(db, charges),
      maxBatchSize,
      maxInFlight,
      isolate,
    }),
    record: groupCommit({
      run: (outcomes) => recordOutcomes(db, outcomes),
      maxBatchSize,
      maxInFlight,
      isolate,
    }),
    learnCard: (input) => learnCard(db, input),
    requestStop: (input) => requestStop(db, input),
  };
}
