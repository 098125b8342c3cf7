import { addMs, dayMs, minuteMs } from '../../domain/clock.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import type { HeldBack } from '../../domain/held-back.ts';
import type { ProcessClock } from '../../recovery/checkup/checkup-ports.ts';
import type { Queryable, Statement } from '../database.ts';

/** `held_since` stays while the process holds back for one reason. */
const note: Statement = {
  name: 'note_process_clock',
  text: `
    with gone as (delete from process_clocks where seen_at < $8 and process_id <> $1)
    insert into process_clocks as c
      (process_id, roles, ahead_ms, uncertainty_ms, held_code, held_message, held_since, seen_at)
    values ($1, $2, $3, $4, $5, $6, case when $5::text is null then null else $7::timestamptz end, $7)
    on conflict (process_id) do update set
      roles = excluded.roles,
      ahead_ms = excluded.ahead_ms,
      uncertainty_ms = excluded.uncertainty_ms,
      held_code = excluded.held_code,
      held_message = excluded.held_message,
      held_since = case when c.held_code = excluded.held_code then c.held_since
                        else excluded.held_since end,
      seen_at = excluded.seen_at`,
};

const remove: Statement = {
  name: 'remove_process_clock',
  text: 'delete from process_clocks where process_id = $1',
};

const list: Statement = {
  name: 'list_process_clocks',
  text: `select process_id, roles, ahead_ms, uncertainty_ms, held_code, held_message, held_since
         from process_clocks where seen_at > $1 order by process_id`,
};

interface Row {
  readonly process_id: string;
  readonly roles: readonly string[];
  readonly ahead_ms: number;
  readonly uncertainty_ms: number;
  readonly held_code: ErrorCode | null;
  readonly held_message: string | null;
  readonly held_since: Date | null;
}

/** A process that was not heard of for so long has ended, or has lost the database. */
const maxSilentMs = minuteMs;

/** @param at the database's time, whatever the sandbox's is */
export async function noteProcessClock(
  db: Queryable,
  input: {
    readonly processId: string;
    readonly roles: readonly string[];
    readonly aheadMs: number;
    readonly uncertaintyMs: number;
    readonly heldBack: HeldBack | undefined;
    readonly at: Date;
  },
): Promise<void> {
  const { processId, roles, aheadMs, uncertaintyMs, heldBack, at } = input;
  const held = [heldBack?.code ?? null, heldBack?.message ?? null];
  await db.query(note, [processId, roles, aheadMs, uncertaintyMs, ...held, at, addMs(at, -dayMs)]);
}

export async function removeProcessClock(db: Queryable, processId: string): Promise<void> {
  await db.query(remove, [processId]);
}

/** Every process that was heard of lately. */
export async function listProcessClocks(db: Queryable, at: Date): Promise<readonly ProcessClock[]> {
  const rows = await db.query<Row>(list, [addMs(at, -maxSilentMs)]);
  return rows.map((row) => ({
    processId: row.process_id,
    roles: row.roles,
    aheadMs: row.ahead_ms,
    uncertaintyMs: row.uncertainty_ms,
    ...(row.held_code !== null &&
      row.held_message !== null &&
      row.held_since !== null && {
        held: { code: row.held_code, message: row.held_message, since: row.held_since },
      }),
  }));
}
