import type { Random } from '../../domain/random.ts';
import type { PaymentStore } from '../../recovery/engine-ports.ts';
import { learnCard } from '../cards/learn-cards.ts';
import type { Database } from '../database.ts';
import { isOfOneRow } from '../database-fault.ts';
import { groupCommit } from '../group-commit.ts';
import { beginCharges } from './charges.ts';
import { claimDuePayments, loadPaymentContext } from './due-payments.ts';
import { findOtherNames } from './other-names.ts';
import { recordOutcomes } from './outcomes.ts';
import { renewLease } from './renew-lease.ts';
import { stepBatches } from './step-batches.ts';
import { requestStop } from './stop-request.ts';

/**
 * The engine's store on PostgreSQL. Steps of payments that run beside each other share commits, unless
 * they run `alone`: then each is of the merchant that is served.
 */
export function createPaymentStore(deps: {
  readonly db: Database;
  readonly random: Random;
  readonly alone?: boolean;
}): PaymentStore {
  const { db, alone = false } = deps;
  const together = <Item, Result>(run: (items: readonly Item[]) => Promise<readonly Result[]>) =>
    alone ? one(run) : groupCommit({ run, ...stepBatches, isolate: isOfOneRow });
  return {
    claimDue: (input) => claimDuePayments(deps, input),
    load: (input) => loadPaymentContext(db, input),
    renewLease: (input) => renewLease(db, input),
    beginCharge: together((charges) => beginCharges(db, charges)),
    findOtherNames: (input) => findOtherNames(db, input),
    record: together((outcomes) => recordOutcomes(db, outcomes)),
    learnCard: (input) => learnCard(db, input),
    requestStop: (input) => requestStop(db, input),
  };
}

function one<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  return async (item) => {
    const [result] = await run([item]);
    return result as Result;
  };
}
