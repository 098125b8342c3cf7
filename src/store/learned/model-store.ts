import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import type { CalibrationCounts } from '../../policy/learned/drift.ts';
import { modelSchema, type PolicyModel } from '../../policy/learned/policy-model.ts';
import {
  type ActiveModel,
  allMerchants,
  type ModelKey,
  type ModelStore,
  type ModelView,
  type TrainingNote,
  type TrainingView,
} from '../../recovery/learned/model-ports.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { unlessMoved } from '../moving/unless-moved.ts';

/** Candidates and retired models that are kept of a scope, for a look back and a way back. */
const maxKept = 30;

export function createModelStore(db: Database): ModelStore {
  return {
    list: () => listModels(db),
    readActive: (known) => readActive(db, known),
    add: (input) => addModel(db, input),
    ensureShipped: (model, at) => ensureShipped(db, model, at),
    activate: (input) => activate(db, input),
    noteTraining: (input) => noteTraining(db, input),
    requestTraining: ({ merchantId, at }) =>
      db.transaction(async (tx) => {
        const queued = { merchantId, state: 'queued', tries: 0, message: '', at } as const;
        await noteTraining(tx, queued);
        await appendAudit(tx, merchantId, { action: 'model.training_requested', detail: {}, at });
      }),
    async noteDrift({ merchantId, modelId, counts, distrust, at }) {
      await db.query(drift, [merchantId, modelId, JSON.stringify(counts), distrust, at]);
    },
    countTries: (modelId, from) => countTries(db, modelId, from),
  };
}

const list: Statement = {
  name: 'list_models',
  text: `
    select merchant_id, model_id, status, origin, metrics, drift, distrust, distrusted_at, created_at,
      activated_at, activated_by, retired_at
    from models order by merchant_id, created_at desc, model_id`,
};

interface ModelRow {
  readonly merchant_id: string;
  readonly model_id: string;
  readonly status: ModelView['status'];
  readonly origin: ModelView['origin'];
  readonly metrics: JsonObject;
  readonly drift: CalibrationCounts | null;
  readonly distrust: string | null;
  readonly distrusted_at: Date | null;
  readonly created_at: Date;
  readonly activated_at: Date | null;
  readonly activated_by: 'operator' | 'training' | null;
  readonly retired_at: Date | null;
}

/** Of every scope, each one's newest first. */
export async function listModels(db: Queryable): Promise<readonly ModelView[]> {
  const rows = await db.query<ModelRow>(list, []);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    modelId: row.model_id,
    status: row.status,
    origin: row.origin,
    metrics: row.metrics,
    createdAt: row.created_at,
    ...present({
      drift: row.drift ?? undefined,
      distrust: row.distrust ?? undefined,
      distrustedAt: row.distrusted_at ?? undefined,
      activatedAt: row.activated_at ?? undefined,
      activatedBy: row.activated_by ?? undefined,
      retiredAt: row.retired_at ?? undefined,
    }),
  }));
}

/** Models of another schema are left out: features have changed since, and they mean nothing now. */
const active: Statement = {
  name: 'read_active_models',
  text: `
    select merchant_id, model_id, distrust, activated_at,
      case when model_id = any($1) then null else parameters end as parameters
    from models where status = 'active' and (parameters ->> 'schema')::int = $2`,
};

interface ActiveRow {
  readonly merchant_id: string;
  readonly model_id: string;
  readonly distrust: string | null;
  readonly activated_at: Date;
  readonly parameters: PolicyModel | null;
}

async function readActive(
  db: Queryable,
  known: ReadonlyMap<string, PolicyModel>,
): Promise<readonly ActiveModel[]> {
  const rows = await db.query<ActiveRow>(active, [[...known.keys()], modelSchema]);
  return rows.flatMap((row) => {
    const model = row.parameters ?? known.get(row.model_id);
    if (model === undefined) return [];
    const { merchant_id: merchantId, model_id: modelId, activated_at: activatedAt } = row;
    const common = { merchantId, modelId, model, activatedAt };
    return [row.distrust === null ? common : { ...common, distrust: row.distrust }];
  });
}

const insert: Statement = {
  name: 'insert_model',
  text: `
    with old as (
      delete from models
      where (merchant_id, model_id) in (
        select merchant_id, model_id from models
        where merchant_id = $1 and status <> 'active' and origin = 'trained'
        order by created_at desc offset ${maxKept})
    )
    insert into models (merchant_id, model_id, status, origin, metrics, parameters, created_at)
    values ($1, $2, 'candidate', 'trained', $3::jsonb, $4::jsonb, $5)`,
};

async function addModel(
  db: Queryable,
  input: ModelKey & { model: PolicyModel; metrics: JsonObject; at: Date },
): Promise<void> {
  const { merchantId, modelId, model, metrics, at } = input;
  await db.query(insert, [merchantId, modelId, JSON.stringify(metrics), JSON.stringify(model), at]);
}

const ship: Statement = {
  name: 'insert_shipped_model',
  text: `
    insert into models (merchant_id, model_id, status, origin, metrics, parameters, created_at)
    values ($1, $2, 'candidate', 'shipped', '{}', $3::jsonb, $4)
    on conflict (merchant_id, model_id) do nothing
    returning 1`,
};

const activeOrigin: Statement = {
  name: 'read_active_model_origin',
  text: `select origin from models where merchant_id = $1 and status = 'active'`,
};

/** A release's own model follows that of the release before, never one that was trained here. */
async function ensureShipped(db: Database, model: PolicyModel, at: Date): Promise<void> {
  const { version } = model;
  await db.transaction(async (tx) => {
    const kept = await tx.query(ship, [allMerchants, version, JSON.stringify(model), at]);
    if (kept.length === 0) return;
    // Whoever makes a trained one active just now is waited for, and seen by what is asked next.
    await tx.query(lock, [allMerchants]);
    const [active] = await tx.query<{ origin: ModelView['origin'] }>(activeOrigin, [allMerchants]);
    if (active?.origin === 'trained') return;
    await tx.query(retire, [allMerchants, version, at]);
    await tx.query(promote, [allMerchants, version, at, null]);
  });
}

const retire: Statement = {
  name: 'retire_active_model',
  text: `
    update models set status = 'retired', retired_at = $3
    where merchant_id = $1 and status = 'active' and model_id <> $2`,
};

const promote: Statement = {
  name: 'activate_model',
  text: `
    update models
    set status = 'active', activated_at = $3, activated_by = $4, retired_at = null, distrust = null,
        distrusted_at = null, drift = null
    where merchant_id = $1 and model_id = $2`,
};

/** All of them: which one another activation makes active is not told before it ends. */
const lock: Statement = {
  name: 'lock_models_of_scope',
  text: `
    select model_id, status from models where merchant_id = $1 order by model_id for update`,
};

type LockedRow = Pick<ModelRow, 'model_id' | 'status'>;

async function activate(
  db: Database,
  input: ModelKey & { by: 'operator' | 'training'; at: Date },
): Promise<boolean> {
  const { merchantId, modelId, by, at } = input;
  return db.transaction(async (tx) => {
    const found = await tx.query<LockedRow>(lock, [merchantId]);
    if (!found.some((row) => row.model_id === modelId)) return false;
    await tx.query(retire, [merchantId, modelId, at]);
    await tx.query(promote, [merchantId, modelId, at, by]);
    const replaced = found.find((row) => row.status === 'active' && row.model_id !== modelId);
    const entry = {
      action: 'model.activated',
      detail: { model_id: modelId },
      before: { active: replaced?.model_id ?? null },
      after: { active: modelId },
      at,
    };
    await appendAudit(tx, merchantId, entry, by);
    return true;
  });
}

const training: Statement = {
  name: 'note_training',
  text: `
    insert into trainings (merchant_id, state, tries, message, model_id, requested_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $6)
    on conflict (merchant_id) do update
    set state = excluded.state, tries = excluded.tries, message = excluded.message,
        model_id = excluded.model_id, updated_at = excluded.updated_at,
        requested_at = case when trainings.state in ('done', 'failed') then excluded.requested_at
                            else trainings.requested_at end`,
};

async function noteTraining(db: Queryable, input: TrainingNote): Promise<void> {
  const { merchantId, state, tries, message, modelId, at } = input;
  await db.query(training, [merchantId, state, tries, message.slice(0, 500), modelId, at]);
}

const trainings: Statement = {
  name: 'list_trainings',
  text: `
    select merchant_id, state, tries, message, model_id, requested_at, updated_at
    from trainings order by merchant_id`,
};

interface TrainingRow {
  readonly merchant_id: string;
  readonly state: TrainingView['state'];
  readonly tries: number;
  readonly message: string;
  readonly model_id: string | null;
  readonly requested_at: Date;
  readonly updated_at: Date;
}

/** How the last training of each scope stands. */
export async function listTrainings(db: Queryable): Promise<readonly TrainingView[]> {
  const rows = await db.query<TrainingRow>(trainings, []);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    state: row.state,
    tries: row.tries,
    message: row.message,
    requestedAt: row.requested_at,
    updatedAt: row.updated_at,
    ...present({ modelId: row.model_id ?? undefined }),
  }));
}

const drift: Statement = {
  name: 'note_model_drift',
  text: `
    update models
    set drift = $3::jsonb, distrust = coalesce($4, distrust),
        distrusted_at = case when $4::text is null then distrusted_at else $5 end
    where merchant_id = $1 and model_id = $2 and status = 'active' ${unlessMoved('models')}`,
};

/** Tries whose time a model chose, with the chance that it predicted. */
const count: Statement = {
  name: 'count_model_tries',
  text: `
    select count(*)::int as tries,
      count(*) filter (where state = 'succeeded')::int as successes,
      coalesce(sum(chance), 0)::float8 as foretold,
      coalesce(sum(chance * (1 - chance)), 0)::float8 as variance,
      coalesce(sum(place) filter (where state = 'succeeded'), 0)::float8 as "rankSum"
    from (
      select state, chance,
        rank() over (order by chance) + (count(*) over (partition by chance) - 1) / 2.0 as place
      from (
        select state, (decision ->> 'chance')::float8 as chance
        from recorded_attempts
        where started_at > $2 and state in ('succeeded', 'declined')
          and decision ->> 'policy_version' = $1
      ) told
      where chance is not null
    ) tries`,
};

async function countTries(db: Queryable, modelId: string, from: Date): Promise<CalibrationCounts> {
  const [row] = await db.query<CalibrationCounts>(count, [modelId, from]);
  return row ?? { tries: 0, successes: 0, foretold: 0, variance: 0, rankSum: 0 };
}
