import { present } from '../../domain/present.ts';
import type {
  WhatIf,
  WhatIfNote,
  WhatIfResult,
  WhatIfStore,
} from '../../recovery/what-if/what-if-ports.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Database, Queryable, Statement } from '../database.ts';

export function createWhatIfStore(db: Database): WhatIfStore {
  return {
    request: (input) =>
      db.transaction(async (tx) => {
        const whatIf = await request(tx, input);
        const { whatIfId: what_if_id, policy, windowDays, maxAttempts } = whatIf;
        const detail = { what_if_id, policy, window_days: windowDays, max_attempts: maxAttempts };
        const entry = { action: 'what_if.requested', detail, at: input.at };
        await appendAudit(tx, input.merchantId, entry);
        return whatIf;
      }),
    find: async (whatIfId) => one(await db.query<WhatIfRow>(find, [whatIfId])),
    note: (input) => note(db, input),
  };
}

/** Of a merchant, as they are shown. */
const maxShown = 50;

const columns = `
  what_if_id, merchant_id, policy, window_days, max_attempts, fixed_days, state, charges, message, result,
  requested_at, updated_at, completed_at`;

const find: Statement = {
  name: 'find_what_if',
  text: `select ${columns} from what_ifs where what_if_id = $1`,
};

const list: Statement = {
  name: 'list_what_ifs',
  text: `
    select ${columns} from what_ifs where merchant_id = $1
    order by requested_at desc, what_if_id limit ${maxShown}`,
};

/** A merchant's newest, the one that was asked for last at the front. */
export async function listWhatIfs(db: Queryable, merchantId: string): Promise<readonly WhatIf[]> {
  return (await db.query<WhatIfRow>(list, [merchantId])).map(toWhatIf);
}

/** One that is under way stays as it is; one that has ended begins anew, with its result kept. */
const ask: Statement = {
  name: 'request_what_if',
  text: `
    insert into what_ifs as w (what_if_id, merchant_id, policy, window_days, max_attempts, fixed_days,
      state, requested_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, 'queued', $7, $7)
    on conflict (merchant_id, policy, window_days, max_attempts) do update
    set fixed_days = case when w.state in ('done', 'failed') then excluded.fixed_days
                          else w.fixed_days end,
        charges = case when w.state in ('done', 'failed') then 0 else w.charges end,
        message = case when w.state in ('done', 'failed') then '' else w.message end,
        requested_at = case when w.state in ('done', 'failed') then excluded.requested_at
                            else w.requested_at end,
        updated_at = case when w.state in ('done', 'failed') then excluded.updated_at
                          else w.updated_at end,
        state = case when w.state in ('done', 'failed') then 'queued' else w.state end
    returning ${columns}`,
};

async function request(
  db: Queryable,
  input: Parameters<WhatIfStore['request']>[0],
): Promise<WhatIf> {
  const { whatIfId, merchantId, policy, windowDays, maxAttempts, fixedDays, at } = input;
  const [row] = await db.query<WhatIfRow>(ask, [
    whatIfId,
    merchantId,
    policy,
    windowDays,
    maxAttempts,
    fixedDays,
    at,
  ]);
  if (row === undefined) throw new Error('a what-if that was written is answered');
  return toWhatIf(row);
}

const write: Statement = {
  name: 'note_what_if',
  text: `
    update what_ifs
    set state = $2, charges = $3, message = $4, updated_at = $6,
        result = coalesce($5::jsonb, result),
        completed_at = case when $5::jsonb is null then completed_at else $6 end
    where what_if_id = $1`,
};

async function note(db: Queryable, input: WhatIfNote): Promise<void> {
  const { whatIfId, state, charges, message, result, at } = input;
  const kept = result === undefined ? null : JSON.stringify(result);
  await db.query(write, [whatIfId, state, charges, message.slice(0, 500), kept, at]);
}

interface WhatIfRow {
  readonly what_if_id: string;
  readonly merchant_id: string;
  readonly policy: WhatIf['policy'];
  readonly window_days: number;
  readonly max_attempts: number;
  readonly fixed_days: readonly number[];
  readonly state: WhatIf['state'];
  readonly charges: number;
  readonly message: string;
  readonly result: WhatIfResult | null;
  readonly requested_at: Date;
  readonly updated_at: Date;
  readonly completed_at: Date | null;
}

function one(rows: readonly WhatIfRow[]): WhatIf | undefined {
  const [row] = rows;
  return row === undefined ? undefined : toWhatIf(row);
}

function toWhatIf(row: WhatIfRow): WhatIf {
  return {
    whatIfId: row.what_if_id,
    merchantId: row.merchant_id,
    policy: row.policy,
    windowDays: row.window_days,
    maxAttempts: row.max_attempts,
    fixedDays: row.fixed_days,
    state: row.state,
    charges: row.charges,
    message: row.message,
    requestedAt: row.requested_at,
    updatedAt: row.updated_at,
    ...present({ result: row.result ?? undefined, completedAt: row.completed_at ?? undefined }),
  };
}
