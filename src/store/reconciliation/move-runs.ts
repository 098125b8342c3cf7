import { addMs, dayMs, hourMs, minuteMs } from '../../domain/clock.ts';
import { invariant } from '../../domain/errors.ts';
import type { ListedCharge } from '../../recovery/psp-ports.ts';
import type {
  NewRun,
  Reconciliation,
  RunPhase,
  StepDone,
} from '../../recovery/reconciliation/reconciliation-ports.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { type RunRow, runColumns, toRun } from './run-rows.ts';

/** A charge may be on its way for so long: what is younger is left to the next run. */
const inFlightMs = 15 * minuteMs;
/** What one run overlaps with the last one. */
const overlapMs = 2 * hourMs;
/** How far the first run looks back. */
const firstMs = 3 * dayMs;
/** Charges of a report that stand in one page. */
const reportPage = 500;

/** A report that begins no later than this after the last run's end is the next one, and leaves no gap. */
const nextReportMs = dayMs;

/**
 * A restored clock may be behind what was charged since, and nothing is on its way meanwhile. A report says
 * nothing of what was charged after its last row.
 */
function endOf({ purpose, report, at }: NewRun): Date {
  if (purpose === 'restore') return addMs(at, 366 * dayMs);
  return report === undefined ? addMs(at, -inFlightMs) : addMs(report.to, 1);
}

/** Where nobody says from when: from the end of the last run, or the time that a report tells of. */
function beginOf({ at, report }: NewRun, known: Date | undefined): Date {
  const next = known === undefined ? undefined : addMs(known, -overlapMs);
  if (report === undefined) return next ?? addMs(at, -firstMs);
  const { from } = report;
  const follows = next !== undefined && next < from && addMs(next, nextReportMs) >= from;
  return follows ? next : from;
}

const insert: Statement = {
  name: 'begin_reconciliation',
  text: `
    insert into reconciliations (merchant_id, run_id, psp, connection_version, purpose, source, state,
      phase, since, until, started_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, 'running', 'theirs',
      least($7, $8::timestamptz - interval '1 ms'), $8, $9, $9)
    on conflict (merchant_id, psp, connection_version) where state = 'running' do nothing
    returning ${runColumns}`,
};

/** The check of a restored backup reaches ahead, and has seen nothing of what is charged after it began. */
const compared: Statement = {
  name: 'read_compared_until',
  text: `
    select max(least(until, started_at)) as until from reconciliations
    where merchant_id = $1 and psp = $2 and connection_version = $3 and state = 'done'`,
};

const running: Statement = {
  name: 'find_running_reconciliation',
  text: `
    select ${runColumns} from reconciliations
    where merchant_id = $1 and psp = $2 and connection_version = $3 and state = 'running'`,
};

const addPage: Statement = {
  name: 'add_reconciliation_pages',
  text: `
    insert into reconciliation_pages (merchant_id, run_id, page, charges)
    select $1, $2, ordinality - 1, value from json_array_elements($3::json) with ordinality`,
};

export function beginRun(db: Database, input: NewRun): Promise<Reconciliation> {
  const { merchantId, runId, psp, connectionVersion, purpose, since, at, report } = input;
  return db.transaction(async (tx) => {
    const [last] = await tx.query<{ until: Date | null }>(compared, [
      merchantId,
      psp,
      connectionVersion,
    ]);
    const known = last?.until ?? undefined;
    const [row] = await tx.query<RunRow>(insert, [
      merchantId,
      runId,
      psp,
      connectionVersion,
      purpose,
      report === undefined ? 'api' : 'report',
      since ?? beginOf(input, known),
      endOf(input),
      at,
    ]);
    if (row !== undefined) {
      if (report !== undefined) {
        const { charges } = report;
        const pages = Array.from({ length: Math.ceil(charges.length / reportPage) }, (_, page) =>
          charges.slice(page * reportPage, (page + 1) * reportPage),
        );
        await tx.query(addPage, [merchantId, runId, JSON.stringify(pages)]);
      }
      return toRun(row);
    }
    const [underWay] = await tx.query<RunRow>(running, [merchantId, psp, connectionVersion]);
    invariant(underWay !== undefined, 'a run that is not begun is under way');
    return toRun(underWay);
  });
}

const move: Statement = {
  name: 'advance_reconciliation',
  text: `
    update reconciliations
    set pages = pages + 1, phase = $4, place = $5, listed = listed + $6, settled = settled + $7,
        findings = findings + $8, detail = $9, state = coalesce($10, state), updated_at = $11,
        ended_at = case when $10::text is null then null else $11::timestamptz end
    where merchant_id = $1 and run_id = $2 and pages = $3 and state = 'running'
    returning 1`,
};

const note: Statement = {
  name: 'note_reconciliation_charges',
  text: `
    insert into reconciliation_charges (merchant_id, run_id, charge, missing)
    select $1, $2, charge, missing
    from json_to_recordset($3::json) as c (charge text, missing jsonb)
    on conflict (merchant_id, run_id, charge) do nothing`,
};

const noted: Statement = {
  name: 'noted_reconciliation_charges',
  text: `
    select charge, missing ->> 'pspTransactionId' as psp_transaction_id from reconciliation_charges
    where merchant_id = $1 and run_id = $2 and charge = any($3)`,
};

const sweep: readonly Statement[] = ['charges', 'pages'].map((what) => ({
  name: `sweep_reconciliation_${what}`,
  text: `delete from reconciliation_${what} where merchant_id = $1 and run_id = $2`,
}));

const phases: Readonly<Record<Reconciliation['purpose'], readonly RunPhase[]>> = {
  reconcile: ['theirs', 'ours', 'rest'],
  restore: ['theirs', 'adopt', 'ours', 'rest'],
};

/** Keeps what a step has done and moves the run on; false where another process was faster. */
export function advanceRun(
  db: Database,
  { run, done, at }: { readonly run: Reconciliation; readonly done: StepDone; readonly at: Date },
): Promise<boolean> {
  const { merchantId, runId } = run;
  const order = phases[run.purpose];
  const next =
    done.place !== undefined || done.ends !== undefined
      ? run.phase
      : (order[order.indexOf(run.phase) + 1] ?? run.phase);
  return db.transaction(async (tx) => {
    const moved = await tx.query(move, [
      merchantId,
      runId,
      run.pages,
      next,
      done.place ?? [],
      done.listed ?? 0,
      done.settled ?? 0,
      done.findings ?? 0,
      done.detail ?? null,
      done.ends ?? null,
      at,
    ]);
    if (moved.length === 0) return false;
    await noteCharges(tx, run, done);
    if (done.ends !== undefined) {
      for (const statement of sweep) await tx.query(statement, [merchantId, runId]);
    }
    return true;
  });
}

async function noteCharges(tx: Queryable, run: Reconciliation, done: StepDone): Promise<void> {
  const seen = (done.seen ?? []).map((charge) => ({ charge }));
  const missing = (done.missing ?? []).map((listed) => ({
    charge: listed.idempotencyKey,
    missing: listed,
  }));
  if (seen.length + missing.length === 0) return;
  await tx.query(note, [run.merchantId, run.runId, JSON.stringify([...seen, ...missing])]);
  const further = await furtherOf(tx, run, done.missing ?? []);
  if (further.length === 0) return;
  await tx.query(note, [run.merchantId, run.runId, JSON.stringify(further)]);
}

/** `reconciliation_charges.charge` holds no more. */
const chargeLength = 255;

/**
 * A PSP may have made another charge of a key: it stands beside the first one, under the key and its own id. What the
 * first one is, is read before: an insert that reads a table beside its values is refused on Citus.
 */
async function furtherOf(tx: Queryable, run: Reconciliation, missing: readonly ListedCharge[]) {
  if (missing.length === 0) return [];
  const keys = missing.map(({ idempotencyKey }) => idempotencyKey);
  const rows = await tx.query<{
    readonly charge: string;
    readonly psp_transaction_id: string | null;
  }>(noted, [run.merchantId, run.runId, keys]);
  const first = new Map(rows.map((row) => [row.charge, row.psp_transaction_id]));
  return missing.flatMap((listed) => {
    const { idempotencyKey: key, pspTransactionId: id } = listed;
    if (key === undefined || first.get(key) === id) return [];
    return [{ charge: `${key} ${id}`.slice(0, chargeLength), missing: listed }];
  });
}
