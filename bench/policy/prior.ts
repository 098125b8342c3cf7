import { writeFileSync } from 'node:fs';
import { noEncodings } from '../../src/policy/learned/features/encodings.ts';
import { holidayCalendar } from '../../src/policy/learned/local-time.ts';
import { trainModel } from '../../src/policy/learned/training/train-model.ts';
import { bankHolidays } from '../../src/simulator/calendar.ts';
import { randomPolicy } from '../../src/simulator/policies/simple-policies.ts';
import { trainingRows } from '../../src/simulator/training-rows.ts';
import { priorWorlds } from './worlds.ts';

const failuresEach = 6_000;
const budgets = [4, 8];

/**
 * `npm run bench -- prior`: trains the model that ships, on tries at random hours in all training
 * worlds, and writes it to src/policy/learned/prior-model.json. The same sources give the same file.
 */
export async function prior(): Promise<void> {
  const rows = priorWorlds.flatMap(({ parameters }, place) =>
    budgets.flatMap((budget, index) =>
      trainingRows({
        seed: 1_000 + place * budgets.length + index,
        failures: failuresEach / budgets.length,
        days: 28,
        policy: randomPolicy(1, budget),
        parameters,
        merchantId: `merchant-${place}`,
      }),
    ),
  );
  const calendar = holidayCalendar(bankHolidays());
  const model = trainModel(rows, { version: 'prior-1', calendar });
  // Cards and merchants of simulated worlds say nothing of real ones.
  const shipped = { ...model, encodings: noEncodings };
  writeFileSync('src/policy/learned/prior-model.json', `${JSON.stringify(shipped)}\n`);
  const { logLoss, auc } = model.metrics[model.use];
  process.stdout.write(`prior: ${rows.length} tries, ${model.use}, loss ${logLoss}, AUC ${auc}\n`);
}
