import { parentPort } from 'node:worker_threads';
import { trainCoverage } from '../../policy/learned/coverage/train-coverage.ts';
import { holidayCalendar } from '../../policy/learned/local-time.ts';
import { priorModel } from '../../policy/learned/prior-model.ts';
import type { TrainingRow } from '../../policy/learned/retry-facts.ts';
import { isHeldOut } from '../../policy/learned/training/split-rows.ts';
import { judgeModel, trainModel } from '../../policy/learned/training/train-model.ts';
import type { Trained } from '../../recovery/learned/model-ports.ts';
import { yieldThread } from '../process/yield-thread.ts';
import type { TrainerCall } from './start-trainer.ts';

/**
 * The training thread: it keeps rows, and makes a model of them. It answers each call once, and ends
 * with whoever started it. A thread, since minutes of arithmetic in the process that charges would hold
 * up its retries beyond their leases.
 */
const rows: TrainingRow[] = [];

yieldThread();

parentPort?.on('message', (call: TrainerCall) => {
  parentPort?.postMessage(answer(call));
});

function answer(call: TrainerCall): Trained | undefined {
  switch (call.kind) {
    case 'rows':
      for (const row of call.rows) rows.push(row);
      return undefined;
    case 'train': {
      const calendar = holidayCalendar(call.holidays);
      const judged = trainModel(rows, {
        version: call.version,
        calendar,
        // Never the merchant's own last model: errors of one generation would grow in the next.
        prior: priorModel,
        paydayMove: call.present.paydayMove,
        keepsHeldOut: true,
      });
      const held = rows.filter(({ facts }) => isHeldOut(facts.paymentId));
      return {
        model: { ...judged, coverage: trainCoverage(rows) },
        candidate: judgeModel(judged, held, calendar),
        present: judgeModel(call.present, held, calendar),
      };
    }
  }
}
