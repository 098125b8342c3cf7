import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { enumField, timeField } from '../../http/fields.ts';
import { freeObject } from '../../http/views/free-object.ts';
import { type CalibrationCounts, rankingOf } from '../../policy/learned/drift.ts';
import {
  allMerchants,
  type ModelView,
  modelStatuses,
  type TrainingView,
  trainingStates,
} from '../../recovery/learned/model-ports.ts';
import { ourIdField } from '../shapes.ts';
import type { ModelsView } from './read-models.ts';

const scopeField = Type.Optional(
  ourIdField('The merchant that it plans for; absent: every merchant without one of its own.'),
);

const driftShape = Type.Object(
  {
    tries: Type.Integer({ description: 'Tries in the last 14 days whose time it chose.' }),
    successes: Type.Integer(),
    foretold: Type.Number({ description: 'The successes that it predicted.' }),
    auc: Type.Optional(
      Type.Number({
        description:
          'How often a try that succeeded had a higher predicted chance than one that was declined; 0.5 is pure chance. Absent unless there are both.',
      }),
    ),
  },
  { description: 'What it predicted and what happened.' },
);

const modelShape = Type.Object(
  {
    id: Type.String(),
    merchant_id: scopeField,
    status: enumField(modelStatuses, 'active: it plans. Each scope has one active model.'),
    origin: enumField(['shipped', 'trained'], 'shipped: it is part of the release.'),
    metrics: freeObject(
      'Of `held_out` tries and, beside it, of the `present` model on the same ones: `log_loss` (lower ' +
        'is better), `auc`, `calibration_error`, and `decision_value`, the share of successes if only ' +
        'the half that it rates best were made. `verdict` says why it was promoted or not.',
    ),
    drift: Type.Optional(driftShape),
    alert: Type.Optional(
      Type.String({
        description: 'Why fixed schedules are used although it is active, until another one is.',
      }),
    ),
    alert_since: Type.Optional(timeField('When that was noticed.')),
    created_at: timeField('When it was trained.'),
    activated_at: Type.Optional(timeField('When it last became active.')),
    retired_at: Type.Optional(timeField('When another one took its place.')),
  },
  { title: 'Model' },
);

const trainingShape = Type.Object(
  {
    merchant_id: scopeField,
    state: enumField(trainingStates, 'Its progress.'),
    tries: Type.Integer({ description: 'Tries read so far.' }),
    message: Type.String({ description: 'How it ended.' }),
    model_id: Type.Optional(Type.String({ description: 'The model that it produced.' })),
    requested_at: timeField('When it was requested.'),
    updated_at: timeField('When it last made progress.'),
  },
  { title: 'Training' },
);

const promotedMessage = 'Promoted: log loss 0.41 against 0.44 of prior-3 on 1040 held-out tries.';
const time = '2026-03-02T00:00:00.000Z';

export const modelsShape = Type.Object(
  {
    models: Type.Array(modelShape),
    trainings: Type.Array(trainingShape, { description: 'The latest one of each scope.' }),
  },
  {
    title: 'Models',
    description: 'Models by scope, the newest first.',
    examples: [
      {
        models: [
          {
            id: 'mod_3v5kq0m2w8x1c7n4t6r9b2h1',
            status: 'active',
            origin: 'trained',
            metrics: {
              tries: 5200,
              promoted: true,
              verdict: promotedMessage,
              held_out: { tries: 1040, log_loss: 0.41, auc: 0.78, decision_value: 0.31 },
            },
            drift: { tries: 310, successes: 96, foretold: 92.4, auc: 0.71 },
            created_at: time,
            activated_at: time,
          },
        ],
        trainings: [
          {
            state: 'done',
            tries: 5200,
            message: promotedMessage,
            model_id: 'mod_3v5kq0m2w8x1c7n4t6r9b2h1',
            requested_at: time,
            updated_at: time,
          },
        ],
      },
    ],
  },
);

export function modelsJson({ models, trainings }: ModelsView): Type.Static<typeof modelsShape> {
  return { models: models.map(modelJson), trainings: trainings.map(trainingJson) };
}

function driftJson(counts: CalibrationCounts): Type.Static<typeof driftShape> {
  const { tries, successes, foretold } = counts;
  const auc = rankingOf(counts);
  return present({
    tries,
    successes,
    foretold,
    auc: auc === undefined ? undefined : Math.round(auc * 1_000) / 1_000,
  });
}

function modelJson(model: ModelView): Type.Static<typeof modelShape> {
  return present({
    id: model.modelId,
    merchant_id: scopeOf(model.merchantId),
    status: model.status,
    origin: model.origin,
    metrics: model.metrics,
    drift: model.drift && driftJson(model.drift),
    alert: model.distrust,
    alert_since: model.distrustedAt?.toISOString(),
    created_at: model.createdAt.toISOString(),
    activated_at: model.activatedAt?.toISOString(),
    retired_at: model.retiredAt?.toISOString(),
  });
}

function trainingJson(training: TrainingView): Type.Static<typeof trainingShape> {
  return present({
    merchant_id: scopeOf(training.merchantId),
    state: training.state,
    tries: training.tries,
    message: training.message,
    model_id: training.modelId,
    requested_at: training.requestedAt.toISOString(),
    updated_at: training.updatedAt.toISOString(),
  });
}

function scopeOf(merchantId: string): string | undefined {
  return merchantId === allMerchants ? undefined : merchantId;
}
