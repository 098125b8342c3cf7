import type { JsonObject } from '../../domain/payment.ts';
import type { InvoiceOf } from '../../recovery/api.ts';
import { beginBulk } from '../../recovery/bulk/begin-bulk.ts';
import type { BulkApi, BulkOutcome, DoOne, RunningBulk } from '../../recovery/bulk/bulk-ports.ts';
import { retryPayment } from '../../recovery/engine/retry-payment.ts';
import { type StopDeps, stopPayment } from '../../recovery/engine/stop-payment.ts';
import { actAs } from '../../store/admin/acting.ts';
import { createBulkStore } from '../../store/bulk/bulk-store.ts';
import type { Database } from '../../store/database.ts';
import { auditPayments } from '../../store/engine/audit-payments.ts';
import { setAsidePayment } from '../../store/set-aside/set-aside-payment.ts';
import type { BackgroundJobs } from '../background-jobs.ts';
import type { AppContext } from '../context.ts';

/** What operators have done to many payments. */
export function createBulkApi(
  { db, clock, random }: Pick<AppContext, 'db' | 'clock' | 'random'>,
  jobs: Pick<BackgroundJobs, 'requestBulk'>,
): BulkApi {
  const requestBulk: BackgroundJobs['requestBulk'] = (input) => jobs.requestBulk(input);
  const deps = { bulks: createBulkStore(db), clock, random, requestBulk };
  return { beginBulk: (asked) => beginBulk(deps, asked) };
}

type Deps = StopDeps & { readonly db: Database };

/**
 * Does to one payment what a bulk action asks for, by the same use cases as for a payment alone, and in
 * the name of whoever asked: each payment has its own line of the audit log.
 */
export function createBulkWork(deps: Deps): DoOne {
  return (bulk, key) => {
    const { actor, address } = bulk;
    const work = () => doOne(deps, bulk, key);
    return actor === undefined || address === undefined ? work() : actAs({ actor, address }, work);
  };
}

async function doOne(deps: Deps, bulk: RunningBulk, key: InvoiceOf): Promise<BulkOutcome> {
  const { db, clock } = deps;
  const at = clock.now();
  const entry = (action: string, detail: JsonObject = {}) => ({
    action,
    detail: { invoice_id: key.invoiceId, bulk_id: bulk.bulkId, ...detail },
    at,
  });
  switch (bulk.action) {
    case 'retry': {
      const line = () => entry('payment.retried', { retry_at: at.toISOString() });
      const payments = auditPayments(db, deps.payments, line);
      const outcome = await retryPayment({ ...deps, payments }, key);
      if (outcome.kind === 'scheduled') return { kind: 'done' };
      return outcome.kind === 'refused' ? outcome : gone;
    }
    case 'stop':
      return stopOne(deps, bulk, key, () => entry('payment.stopped', { reason: bulk.reason }));
    case 'set_aside': {
      const { reason } = bulk;
      const audit = entry('payment.set_aside', { reason });
      const outcome = await setAsidePayment(db, { ...key, at, reason, audit });
      return outcome.kind === 'set_aside' ? { kind: 'done' } : outcome;
    }
  }
}

const gone: BulkOutcome = { kind: 'refused', because: 'There is no such payment.' };

/** It waits for no charge: others would wait behind it. The stop is kept, and holds after that charge. */
async function stopOne(
  deps: Deps,
  bulk: RunningBulk,
  key: InvoiceOf,
  line: Parameters<typeof auditPayments>[2],
): Promise<BulkOutcome> {
  const payments = auditPayments(deps.db, deps.payments, line);
  const stop = { reason: 'merchant_stop', detail: bulk.reason, waits: false } as const;
  const outcome = await stopPayment({ ...deps, payments }, { ...key, ...stop });
  switch (outcome.kind) {
    case 'stopped':
      return { kind: 'done' };
    case 'already':
      // As it was asked for: by somebody else, or by a run that ended before it could note it.
      if (outcome.status === 'stopped') return { kind: 'done' };
      return { kind: 'refused', because: `The payment is already ${outcome.status}.` };
    case 'in_flight':
      return {
        kind: 'refused',
        because:
          'A charge was already in progress; the recovery stops after it unless the charge succeeds.',
      };
    case 'not_found':
      return gone;
  }
}
