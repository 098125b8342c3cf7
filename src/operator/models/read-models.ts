import type { ModelView, TrainingView } from '../../recovery/learned/model-ports.ts';
import type { Queryable } from '../../store/database.ts';
import { listModels, listTrainings } from '../../store/learned/model-store.ts';

export interface ModelsView {
  readonly models: readonly ModelView[];
  readonly trainings: readonly TrainingView[];
}

/** Models of the learned policy, and how their last trainings stand. */
export async function readModels(db: Queryable): Promise<ModelsView> {
  const [models, trainings] = await Promise.all([listModels(db), listTrainings(db)]);
  return { models, trainings };
}
