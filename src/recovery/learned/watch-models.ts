import { addMs, dayMs, laterOf } from '../../domain/clock.ts';
import { judgeDrift } from '../../policy/learned/drift.ts';
import type { ModelStore } from './model-ports.ts';

export interface WatchDeps {
  readonly models: Pick<ModelStore, 'readActive' | 'countTries' | 'noteDrift'>;
  readonly log: { error(fields: Readonly<Record<string, unknown>>, message: string): void };
  /** A model is no longer trusted. */
  readonly onDistrusted: () => void;
}

/** Late enough to be of the present, long enough for 200 tries of a small merchant. */
const lookBackMs = 14 * dayMs;

/**
 * Compares what each active model predicted with what came. One that has drifted is not trusted until
 * another one is made active: meanwhile its merchants' payments go by their fixed schedules.
 */
export async function watchModels(deps: WatchDeps, at: Date): Promise<void> {
  for (const { merchantId, modelId, activatedAt, distrust } of await deps.models.readActive(
    new Map(),
  )) {
    const from = laterOf(activatedAt, addMs(at, -lookBackMs));
    const counts = await deps.models.countTries(modelId, from);
    const verdict = judgeDrift(counts);
    const isNew = verdict.kind === 'drifted' && distrust === undefined;
    await deps.models.noteDrift({
      merchantId,
      modelId,
      counts,
      at,
      ...(isNew && { distrust: verdict.message }),
    });
    if (!isNew) continue;
    deps.log.error(
      { merchantId, modelId, message: verdict.message },
      'a model no longer predicts what happens; fixed schedules are used',
    );
    deps.onDistrusted();
  }
}
