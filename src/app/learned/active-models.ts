import { secondMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import type { PolicyModel } from '../../policy/learned/policy-model.ts';
import { priorModel } from '../../policy/learned/prior-model.ts';
import { allMerchants, type ModelStore } from '../../recovery/learned/model-ports.ts';
import type { SegmentShares } from '../../recovery/learned/take-over-ports.ts';
import { createRefreshed } from './refreshed.ts';

/** What plans a merchant's payments now. */
export interface ActivePolicy {
  readonly model: PolicyModel;
  readonly distrust?: string;
  readonly segmentShares?: Readonly<Record<string, number>>;
}

export interface ActiveModels {
  /** The merchant's own model, else that of all merchants, else the shipped one. */
  find(merchantId: string): Promise<ActivePolicy>;
  /** Another one is in use from now on: the next look reads again. */
  forget(): void;
}

/** Until another process's promotion is seen, by the machine's time. */
const ttlMs = 10 * secondMs;

/** The models in use, kept in this process; a model is read once, its status every ten seconds. */
export function createActiveModels(deps: {
  readonly models: Pick<ModelStore, 'readActive'>;
  readonly readSegmentShares: () => Promise<SegmentShares>;
  readonly elapsedMs: () => number;
}): ActiveModels {
  let known: ReadonlyMap<string, PolicyModel> = new Map([[priorModel.version, priorModel]]);
  const active = createRefreshed({
    ttlMs,
    elapsedMs: deps.elapsedMs,
    async load() {
      const [models, segments] = await Promise.all([
        deps.models.readActive(known),
        deps.readSegmentShares(),
      ]);
      known = new Map(models.map((item) => [item.modelId, item.model]));
      return { models: new Map(models.map((item) => [item.merchantId, item])), segments };
    },
  });
  return {
    async find(merchantId) {
      const { models, segments } = await active.get();
      const item = models.get(merchantId) ?? models.get(allMerchants) ?? { model: priorModel };
      return { ...item, ...present({ segmentShares: segments.get(merchantId) }) };
    },
    forget: active.forget,
  };
}
