import type { PolicyModel } from '../../policy/learned/policy-model.ts';
import type { Trainer } from '../../recovery/learned/model-ports.ts';

/** A trainer whose models come out changed; how well they predict is told of them as they were. */
export function spoiledTrainer(
  start: () => Trainer,
  spoil: (model: PolicyModel) => PolicyModel,
): () => Trainer {
  return () => {
    const trainer = start();
    return {
      add: (rows) => trainer.add(rows),
      async train(input) {
        const trained = await trainer.train(input);
        return { ...trained, model: spoil(trained.model) };
      },
      close: () => trainer.close(),
    };
  };
}
