import { newId } from '../domain/ids.ts';
import {
  checkInvariants,
  checkInvariantsNow,
  keepControlTotals,
} from '../jobs/background/check-invariants.ts';
import { makeStatements } from '../jobs/background/make-statements.ts';
import type { BackgroundJob } from '../jobs/background-job.ts';
import type { AccountingApi } from '../recovery/accounting/accounting-api.ts';
import { controlPromises } from '../recovery/accounting/show-invariants.ts';
import type { ActionLog } from '../recovery/admin/ports.ts';
import { allMerchants } from '../recovery/learned/model-ports.ts';
import { createControlStore } from '../store/control-totals/control-store.ts';
import { createCheckStore } from '../store/invariants/check-store.ts';
import { makeStatements as makeDueStatements } from '../store/statements/make-statements.ts';
import type { AppContext } from './context.ts';

/** Background work of the record as a whole. */
export function accountingJobs(context: AppContext): readonly BackgroundJob[] {
  const { db, log } = context;
  const control = createControlStore(db);
  const checks = createCheckStore(db);
  const check = {
    begin: (at: Date) => checks.begin({ checkId: newId(context.random, 'chk'), at }),
    step: (at: Date) => checks.step({ at }),
    find: (checkId: string) => checks.find(checkId),
    log,
  };
  return [
    checkInvariants(check),
    checkInvariantsNow(check),
    makeStatements({ make: (input) => makeDueStatements(db, input) }),
    keepControlTotals({
      fold: (input) => control.fold(input),
      readPromises: async () => controlPromises(await control.read()),
      log,
    }),
  ];
}

/** What operators have done to the record as a whole. */
export function createAccountingApi(
  context: AppContext,
  {
    jobs,
    actions,
  }: {
    readonly jobs: { requestCheck(checkId: string): Promise<void> };
    readonly actions: ActionLog;
  },
): AccountingApi {
  const { db, clock, random } = context;
  const checks = createCheckStore(db);
  return {
    async beginInvariantCheck() {
      const check = await checks.begin({ checkId: newId(random, 'chk'), at: clock.now() });
      const detail = { check_id: check.checkId };
      const audit = { action: 'invariants.check_begun', detail, at: clock.now() };
      await actions.noteAction({ merchantId: allMerchants, audit });
      await jobs.requestCheck(check.checkId);
      return check;
    },
  };
}
