import { secondMs } from '../../domain/clock.ts';
import type { PolicyModel } from '../../policy/learned/policy-model.ts';
import { priorModel } from '../../policy/learned/prior-model.ts';
import {
  type ActiveModel,
  allMerchants,
  type ModelStore,
} from '../../recovery/learned/model-ports.ts';

export interface ActiveModels {
  /** The merchant's own model, else that of all merchants, else the shipped one. */
  find(merchantId: string): Promise<{ readonly model: PolicyModel; readonly distrust?: string }>;
  /** Another one is in use from now on: the next look reads again. */
  forget(): void;
}

/** Until another process's promotion is seen, by the machine's time. */
const ttlMs = 10 * secondMs;

/** The models in use, kept in this process; a model is read once, its status every ten seconds. */
export function createActiveModels(deps: {
  readonly models: Pick<ModelStore, 'readActive'>;
  readonly elapsedMs: () => number;
}): ActiveModels {
  let known: ReadonlyMap<string, PolicyModel> = new Map([[priorModel.version, priorModel]]);
  let loading: Promise<ReadonlyMap<string, ActiveModel>> | undefined;
  let loadedAtMs = 0;

  async function load(): Promise<ReadonlyMap<string, ActiveModel>> {
    const active = await deps.models.readActive(known);
    known = new Map(active.map((item) => [item.modelId, item.model]));
    return new Map(active.map((item) => [item.merchantId, item]));
  }

  return {
    async find(merchantId) {
      if (loading === undefined || deps.elapsedMs() - loadedAtMs > ttlMs) {
        loadedAtMs = deps.elapsedMs();
        const mine = load();
        loading = mine;
        mine.catch(() => {
          if (loading === mine) loading = undefined;
        });
      }
      const active = await loading;
      return active.get(merchantId) ?? active.get(allMerchants) ?? { model: priorModel };
    },
    forget() {
      loading = undefined;
    },
  };
}
