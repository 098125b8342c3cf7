import { writeFileSync } from 'node:fs';
import { noEncodings } from '../../src/policy/learned/features/encodings.ts';
import { metricsInUse } from '../../src/policy/learned/policy-model.ts';
import type { TrainingRow } from '../../src/policy/learned/retry-facts.ts';
import { trainModel } from '../../src/policy/learned/training/train-model.ts';
import { type Parameters, parameters as published } from '../../src/simulator/parameters.ts';
import { randomPolicy } from '../../src/simulator/policies/simple-policies.ts';
import { trainingRows } from '../../src/simulator/training-rows.ts';
import { calendar } from './compare.ts';
import { drawnWorld } from './drawn-world.ts';
import { onPolicyRows, unweighed } from './on-policy-rows.ts';

const failuresEach = 3_000;
const budgets = [4, 8];
/** The published world, and so many whose figures are drawn. */
const drawnWorlds = 23;
/** Windows in turn, in days. */
const windows = [28, 14, 28, 60];

/**
 * `npm run bench -- prior`: trains the model that ships, on tries in all training worlds, at random
 * hours and then at those that a first model chooses, and writes it to
 * src/policy/learned/prior-model.json. The same sources give the same file.
 */
export async function prior(): Promise<void> {
  const random = inEveryWorld(({ budget, ...world }) =>
    trainingRows({ policy: randomPolicy(1, budget), ...world }),
  );
  const first = trainModel(random, { version: 'prior-of-random-hours', calendar });
  const chosen = inEveryWorld(({ budget, seed, ...world }) =>
    onPolicyRows({
      model: { ...first, encodings: noEncodings },
      seed: seed + 1_000,
      maxAttempts: budget,
      ...world,
    }),
  );
  const rows = unweighed([...random, ...chosen]);
  const model = trainModel(rows, { version: 'prior-3', calendar });
  // Cards, merchants and amounts of simulated worlds say nothing of real ones.
  const shipped = { ...model, encodings: noEncodings, usualAmounts: {} };
  writeFileSync('src/policy/learned/prior-model.json', `${JSON.stringify(shipped)}\n`);
  const { logLoss, auc } = metricsInUse(model);
  process.stdout.write(`prior: ${rows.length} tries, ${model.use}, loss ${logLoss}, AUC ${auc}\n`);
}

interface Share {
  readonly seed: number;
  readonly failures: number;
  readonly budget: number;
  readonly days: number;
  readonly parameters: Parameters;
  readonly merchantId: string;
}

/** Many kinds of payers and issuers, so that no figure of one world is taken for a law. */
function priorWorlds(): readonly Parameters[] {
  const drawn = Array.from({ length: drawnWorlds }, (_, at) => drawnWorld('training', at));
  return [published, ...drawn];
}

function inEveryWorld(rowsOf: (share: Share) => readonly TrainingRow[]): readonly TrainingRow[] {
  return priorWorlds().flatMap((parameters, place) =>
    budgets.flatMap((budget, index) =>
      rowsOf({
        seed: 1_000 + place * budgets.length + index,
        failures: failuresEach / budgets.length,
        budget,
        days: windows[place % windows.length] ?? 28,
        parameters,
        merchantId: `merchant-${place}`,
      }),
    ),
  );
}
