import { addMs, hourMs } from '../../domain/clock.ts';
import { newId } from '../../domain/ids.ts';
import type { Psp } from '../../domain/psps.ts';
import type { IncidentStore } from '../incidents/incident-ports.ts';
import { type CloseAccountedDeps, closeAccounted } from './close-accounted.ts';
import { type ReconcileDeps, reconcileStep } from './reconcile-step.ts';
import type { RestoreCheck } from './reconciliation-api.ts';
import type { Reconciliation, RunPurpose } from './reconciliation-ports.ts';

/** Runs that are stepped in turns. */
const together = 20;
/** A PSP's clock is no further from the one that a backup was made by. */
const marginMs = hourMs;

export interface AccountKey {
  readonly merchantId: string;
  readonly psp: Psp;
  readonly connectionVersion: number;
}

export interface RestoreStore {
  begin(input: { readonly restoredFrom: Date; readonly at: Date }): Promise<RestoreCheck>;
  isRunning(): Promise<boolean>;
  /** Marks some open payments of the check under way; false once all are marked. */
  markPayments(): Promise<boolean>;
  /** The check whose payments are marked. */
  findMarked(): Promise<RestoreCheck | undefined>;
  /** Ends it, once no run of it is under way. */
  end(input: { readonly restoredFrom: Date; readonly at: Date }): Promise<void>;
}

export interface RunDeps extends ReconcileDeps, CloseAccountedDeps {
  readonly incidents: IncidentStore;
  readonly restores: RestoreStore;
  /** Active accounts; or those that a restore has still to compare, credentials permitting. */
  listAccounts(input: {
    readonly purpose: RunPurpose;
    readonly merchantId?: string;
    readonly psp?: Psp;
    readonly after?: AccountKey;
    readonly limit: number;
  }): Promise<readonly AccountKey[]>;
}

/** Begins a run for each account, page by page. */
export async function beginRuns(
  deps: Pick<RunDeps, 'listAccounts' | 'runs' | 'random' | 'clock'>,
  input: {
    readonly purpose: RunPurpose;
    readonly merchantId?: string;
    readonly psp?: Psp;
    readonly since?: Date;
  },
): Promise<readonly Reconciliation[]> {
  const { since, ...scope } = input;
  const begun: Reconciliation[] = [];
  for (let after: AccountKey | undefined; ; ) {
    const page = await deps.listAccounts({ ...scope, limit: 200, ...(after && { after }) });
    for (const account of page) {
      const runId = newId(deps.random, 'rec');
      const at = deps.clock.now();
      const { purpose } = input;
      begun.push(
        await deps.runs.begin({ ...account, runId, purpose, at, ...(since && { since }) }),
      );
    }
    after = page.at(-1);
    if (page.length < 200) return begun;
  }
}

/**
 * Does all comparisons that are under way, and the check of a restored backup before them.
 *
 * @throws Error where a PSP did not give its list: to be run again later
 */
export async function runReconciliations(
  deps: RunDeps,
  context: { readonly signal: AbortSignal; progress(done: number): void },
): Promise<void> {
  let done = 0;
  const step = () => {
    context.signal.throwIfAborted();
    done += 1;
    context.progress(done);
  };
  // First: a PSP that does not answer is no reason to keep what is settled already.
  if ((await closeAccounted(deps)) > 0) step();
  while (await deps.restores.markPayments()) step();
  const restore = await deps.restores.findMarked();
  for (;;) {
    const runs = await deps.runs.listRunning(together);
    // An account that was compared meanwhile is begun only when that has ended.
    const begun = restore === undefined || runs.length > 0 ? [] : await beginRestore(deps, restore);
    if (runs.length + begun.length === 0) break;
    const outcomes: string[] = [];
    for (const run of runs) {
      step();
      outcomes.push(await reconcileStep(deps, run));
    }
    if (outcomes.length > 0 && outcomes.every((outcome) => outcome === 'waits')) {
      throw new Error('a PSP did not give its list of charges');
    }
  }
  if (restore === undefined) return;
  await deps.restores.end({ restoredFrom: restore.restoredFrom, at: deps.clock.now() });
  deps.wake.payments();
  deps.wake.unknownCharges();
}

/** Accounts that this check has compared are not among those that are listed for it. */
function beginRestore(deps: RunDeps, restore: RestoreCheck): Promise<readonly Reconciliation[]> {
  const since = addMs(restore.restoredFrom, -marginMs);
  return beginRuns(deps, { purpose: 'restore', since });
}
