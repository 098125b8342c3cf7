import { AppError } from '../domain/errors.ts';
import type { HeldBack } from '../domain/held-back.ts';
import { newId } from '../domain/ids.ts';
import { present } from '../domain/present.ts';
import { pspName } from '../domain/psps/psp-name.ts';
import { reconcileDaily, reconcileNow } from '../jobs/background/reconcile.ts';
import type { BackgroundJob } from '../jobs/background-job.ts';
import { isOwnKey } from '../psp/own-key.ts';
import type { ActionLog } from '../recovery/admin/ports.ts';
import type { EngineDeps } from '../recovery/engine/deps.ts';
import { allMerchants } from '../recovery/learned/model-ports.ts';
import type {
  BeginReconciliations,
  ReconciliationApi,
} from '../recovery/reconciliation/reconciliation-api.ts';
import type { Reconciliation } from '../recovery/reconciliation/reconciliation-ports.ts';
import {
  beginRuns,
  type RunDeps,
  runReconciliations,
} from '../recovery/reconciliation/run-reconciliations.ts';
import { createIncidentStore } from '../store/incidents/incident-store.ts';
import { findAccountedIncidents } from '../store/incidents/read-incidents.ts';
import { listAccounts } from '../store/reconciliation/list-accounts.ts';
import { createReconciliationStore } from '../store/reconciliation/reconciliation-store.ts';
import { createRestoreStore } from '../store/reconciliation/restore-store.ts';
import type { AppContext } from './context.ts';

type ReconciliationContext = Pick<AppContext, 'clock' | 'random' | 'db'>;

function runDeps({ db, random }: ReconciliationContext, engine: EngineDeps): RunDeps {
  return {
    ...engine,
    runs: createReconciliationStore(db),
    restores: createRestoreStore(db),
    incidents: createIncidentStore({ db, random }),
    findAccounted: (after) => findAccountedIncidents(db, after),
    listAccounts: (input) => listAccounts(db, input),
    isOwnKey,
  };
}

/** Background comparisons with the PSPs' lists. */
export function reconciliationJobs(
  context: ReconciliationContext,
  engine: EngineDeps,
): readonly BackgroundJob[] {
  const deps = runDeps(context, engine);
  const job = {
    async begin() {
      // It would report each charge made since the backup, before the check has found whose it is.
      if (await deps.restores.isRunning()) return;
      await beginRuns(deps, { purpose: 'reconcile' });
    },
    run: (run: Parameters<typeof runReconciliations>[1]) => runReconciliations(deps, run),
  };
  return [reconcileDaily(job), reconcileNow(job)];
}

/** What operators ask of comparisons. */
export function createReconciliationApi(
  context: ReconciliationContext,
  parts: {
    readonly engine: EngineDeps;
    readonly jobs: { requestReconciliation(key: string): Promise<void> };
    readonly actions: ActionLog;
  },
): ReconciliationApi {
  const { clock, random } = context;
  const deps = runDeps(context, parts.engine);
  const ask = (at: Date) => parts.jobs.requestReconciliation(at.toISOString());
  return {
    async beginReconciliations(input) {
      if (await deps.restores.isRunning()) throw restoring();
      const begun =
        input.report === undefined
          ? await beginRuns(deps, { ...input, purpose: 'reconcile' })
          : [await beginReport({ deps, clock, random }, { ...input, report: input.report })];
      await noteBegun(input, begun.length);
      await ask(clock.now());
      return begun;
    },
    async beginRestoreCheck(restoredFrom) {
      const fault = aheadFault({ clock }, restoredFrom);
      if (fault !== undefined) throw new AppError('invalid_request', `The backup's time ${fault}`);
      const check = await deps.restores.begin({ restoredFrom, at: clock.now() });
      const detail = { restored_from: restoredFrom.toISOString() };
      const audit = { action: 'restore_check.begun', detail, at: clock.now() };
      await parts.actions.noteAction({ merchantId: allMerchants, audit });
      if (check.state === 'running') await ask(clock.now());
      return check;
    },
  };

  /** What a comparison finds settles charges, and a report is what somebody gave: who did is kept, and nothing of it. */
  async function noteBegun(input: BeginReconciliations, accounts: number): Promise<void> {
    const { merchantId = allMerchants, psp, since, report } = input;
    const source = report === undefined ? 'api' : 'report';
    const detail = present({ psp, since: since?.toISOString(), source, accounts });
    const audit = { action: 'reconciliation.begun', detail, at: clock.now() };
    await parts.actions.noteAction({ merchantId, audit });
  }
}

function restoring(): AppError {
  const what = 'Charges made after the restored backup was taken are still being recorded';
  return new AppError(
    'conflict',
    `${what}, so nothing was begun. Ask again once recoup restore-check says that it is done.`,
  );
}

/** The PSP's report in place of its list. @throws AppError where it cannot be read, or compared now */
async function beginReport(
  { deps, clock, random }: Pick<AppContext, 'clock' | 'random'> & { readonly deps: RunDeps },
  input: BeginReconciliations & { readonly report: string },
): Promise<Reconciliation> {
  const { merchantId, psp, since } = input;
  if (merchantId === undefined || psp === undefined) {
    const action = 'Name both and send it again.';
    throw new AppError('invalid_request', 'A report is for one merchant and one PSP.', { action });
  }
  const gateway = await deps.findGateway({ merchantId, psp });
  if (gateway === undefined) {
    throw new AppError('invalid_request', `The merchant has no connection to ${pspName(psp)}.`, {
      action: 'Connect it, or name the PSP that the report is from.',
    });
  }
  const reading = gateway.readReport(input.report);
  if (reading.kind === 'unsupported') {
    throw new AppError('invalid_request', `Recoup reads no reports of ${pspName(psp)}.`, {
      action: 'Begin without a report: the list that the PSP gives itself is compared.',
    });
  }
  if (reading.kind === 'malformed') {
    const { line, reason } = reading;
    throw new AppError('invalid_request', `Line ${line} of the report: ${reason}.`);
  }
  const runId = newId(random, 'rec');
  const run = await deps.runs.begin({
    merchantId,
    psp,
    connectionVersion: gateway.connection?.version ?? 1,
    runId,
    purpose: 'reconcile',
    at: clock.now(),
    report: reading,
    ...present({ since }),
  });
  // One that is under way compares its own charges: to join it would pass over all of this report.
  if (run.runId !== runId) {
    const message = 'The account is being compared already, and this report was not taken.';
    throw new AppError('conflict', `${message} Give it again once that has ended.`);
  }
  return run;
}

/** What is wrong with a time that no backup can be of, such as a local time that was given as one in UTC. */
function aheadFault({ clock }: Pick<AppContext, 'clock'>, restoredFrom: Date): string | undefined {
  const now = clock.now();
  if (restoredFrom.getTime() <= now.getTime()) return undefined;
  const [given, present] = [restoredFrom.toISOString(), now.toISOString()];
  return `is ${given} but must not be later than now (${present}): nothing charged before it would be looked for.`;
}

/** Whether the check of a restored backup is under way: nothing is charged until it has ended. */
export interface RestoreHold {
  /** Asked before each claim; other processes' checks are noticed within a second. */
  isHeld(): Promise<boolean>;
  heldBack(): HeldBack | undefined;
}

const lookAgainMs = 1_000;

/** Begins the check of RESTORED_FROM, where it is set and was not done, before anything is claimed. */
export async function createRestoreHold({
  config,
  db,
  clock,
  elapsedMs,
  log,
}: AppContext): Promise<RestoreHold> {
  const restores = createRestoreStore(db);
  if (config.restoredFrom !== undefined) {
    const restoredFrom = config.restoredFrom;
    const fault = aheadFault({ clock }, restoredFrom);
    if (fault !== undefined) throw new AppError('config_invalid', `RESTORED_FROM ${fault}`);
    const { state } = await restores.begin({ restoredFrom, at: clock.now() });
    if (state === 'running')
      log.warn({ restoredFrom }, 'nothing is charged: a backup was restored');
  }
  let held = await restores.isRunning();
  let lookedAt = elapsedMs();
  const look = async () => {
    if (!held && elapsedMs() - lookedAt < lookAgainMs) return held;
    held = await restores.isRunning();
    lookedAt = elapsedMs();
    return held;
  };
  return {
    isHeld: look,
    heldBack() {
      // A probe that finds it held looks again beside its answer.
      void look().catch(() => undefined);
      const message = 'Charges made after the restored backup was taken are still being recorded.';
      return held ? { code: 'restore_check', message } : undefined;
    },
  };
}
