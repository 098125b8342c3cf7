import type { AppContext } from '../../app/context.ts';
import type { Engine } from '../../app/engine.ts';
import {
  createRestoreHold,
  type RestoreHold,
  reconciliationJobs,
} from '../../app/reconciliation-module.ts';
import { secondMs } from '../../domain/clock.ts';
import { reconcileNowJobName } from '../../jobs/background/reconcile.ts';

const againMs = 5 * secondMs;

/** What a start with RESTORED_FROM does before anything is claimed, again until the database answers. */
export function withRestoreHold(
  context: AppContext,
  restoredFrom: Date | undefined,
): { readonly context: AppContext; begin(): Promise<void> } {
  if (restoredFrom === undefined) return { context, begin: async () => undefined };
  const told = { ...context, config: { ...context.config, restoredFrom } };
  let hold: RestoreHold | undefined;
  let begun: Promise<void> | undefined;
  const restoreHold: RestoreHold = {
    isHeld: async () => hold?.isHeld() ?? true,
    heldBack: () => hold?.heldBack(),
  };
  async function begin(): Promise<void> {
    while (hold === undefined) {
      hold = await createRestoreHold(told).catch(() => undefined);
      if (hold === undefined) await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  }
  return {
    context: { ...told, restoreHold },
    begin() {
      begun ??= begin();
      return begun;
    },
  };
}

/** The background job of the check; whether nothing is held any more. */
export async function checkRestoredBackup(context: AppContext, engine: Engine): Promise<boolean> {
  const jobs = reconciliationJobs(context, engine.deps);
  const job = jobs.find(({ name }) => name === reconcileNowJobName);
  if (job === undefined || !('onDemand' in job)) throw new Error('there is no such job');
  const at = context.clock.now();
  const { signal } = new AbortController();
  await job.run({}, { at, signal, progress: () => undefined });
  return (await context.restoreHold?.isHeld()) !== true;
}
