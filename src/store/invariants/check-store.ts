import { addMs, hourMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import type { CheckStore, InvariantCheck } from '../../recovery/accounting/accounting-ports.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { checkInvoices } from './check-invoices.ts';
import { checkCards, checkSequences } from './check-rows.ts';
import { checkTotals } from './check-totals.ts';
import {
  checkedPromises,
  deliveredPromise,
  keptPromise,
  sequencePromise,
} from './invoice-promises.ts';

/** Rows of a page: some tens of milliseconds of work. */
export const checkPages = { invoices: 500, cards: 5_000, sequences: 5_000, merchants: 20 };
type CheckPages = Readonly<Record<keyof typeof checkPages, number>>;

/** Until then transactions of a day may still be committed. */
const dayIsOverAfterMs = hourMs;

const columns = `
  check_id, state, phase, place, rows_read::int, breaches, closed_before::text, started_at, updated_at,
  ended_at`;

const begin: Statement = {
  name: 'begin_invariant_check',
  text: `
    with begun as (
      insert into invariant_checks (check_id, state, phase, place, closed_before, started_at, updated_at)
      values ($1, 'running', 'invoices', '{"",""}', utc_day($3), $2, $2)
      on conflict ((true)) where state = 'running' do nothing
      returning *
    ),
    emptied as (
      delete from control_recounts where exists (select from begun)
    )
    select ${columns} from begun
    union all
    select ${columns} from invariant_checks
    where state = 'running' and not exists (select from begun)`,
};

const hold: Statement = {
  name: 'hold_invariant_check',
  text: `select ${columns} from invariant_checks where state = 'running' for update`,
};

const note: Statement = {
  name: 'note_invariant_check',
  text: `
    update invariant_checks
    set phase = $2, place = $3, rows_read = rows_read + $4, breaches = $5, updated_at = $6,
        state = case when $7 then 'done' else state end, ended_at = case when $7 then $6::timestamptz end
    where check_id = $1`,
};

const find: Statement = {
  name: 'find_invariant_check',
  text: `select ${columns} from invariant_checks where check_id = $1`,
};

const latest: Statement = {
  name: 'read_invariant_checks',
  text: `
    (select ${columns} from invariant_checks where state = 'running')
    union all
    (select ${columns} from invariant_checks where state = 'done' order by started_at desc limit 1)`,
};

type Phase = 'invoices' | 'cards' | 'sequences' | 'totals';

interface CheckRow {
  readonly check_id: string;
  readonly state: InvariantCheck['state'];
  readonly phase: Phase;
  readonly place: readonly string[];
  readonly rows_read: number;
  readonly breaches: Readonly<Record<string, number>>;
  readonly closed_before: string;
  readonly started_at: Date;
  readonly updated_at: Date;
  readonly ended_at: Date | null;
}

/** Checks of everything that is stored. Each step is a transaction of its own, so a check goes on. */
export function createCheckStore(db: Database, pages: CheckPages = checkPages): CheckStore {
  return {
    async begin({ checkId, at }) {
      const values = [checkId, at, addMs(at, -dayIsOverAfterMs)];
      let row: CheckRow | undefined;
      // One that was begun beside us is not in view of the statement that waited for it; the next one sees it.
      while (row === undefined) [row] = await db.query<CheckRow>(begin, values);
      return toCheck(row);
    },
    step: ({ at }) => db.transaction((tx) => step(tx, pages, at)),
    async find(checkId) {
      const [row] = await db.query<CheckRow>(find, [checkId]);
      return row && toCheck(row);
    },
    async read() {
      const checks = (await db.query<CheckRow>(latest, [])).map(toCheck);
      const lastCheck = checks.find(({ state }) => state === 'done');
      const runningCheck = checks.find(({ state }) => state === 'running');
      return { ...(lastCheck && { lastCheck }), ...(runningCheck && { runningCheck }) };
    },
  };
}

async function step(
  tx: Queryable,
  pages: CheckPages,
  at: Date,
): Promise<{ readonly rows: number; readonly ended: boolean }> {
  const [row] = await tx.query<CheckRow>(hold, []);
  if (row === undefined) return { rows: 0, ended: true };
  const page = await readPage(tx, pages, { row, at });
  const breaches = { ...row.breaches };
  for (const [name, count] of Object.entries(page.breaches)) {
    breaches[name] = (breaches[name] ?? 0) + count;
  }
  const next = page.last === undefined ? phaseAfter(row.phase) : row.phase;
  const values = [row.check_id, next ?? row.phase, page.last ?? firstPlace(next), page.rows];
  await tx.query(note, [...values, breaches, at, next === undefined]);
  return { rows: page.rows, ended: next === undefined };
}

interface Page {
  readonly rows: number;
  readonly breaches: Readonly<Record<string, number>>;
  readonly last: readonly [string, string] | undefined;
}

async function readPage(
  tx: Queryable,
  pages: CheckPages,
  { row, at }: { readonly row: CheckRow; readonly at: Date },
): Promise<Page> {
  const { closed_before: closedBefore, phase } = row;
  const [merchantId = '', key = ''] = row.place;
  const after = [merchantId, key] as const;
  switch (phase) {
    case 'invoices':
      return checkInvoices(tx, { after, limit: pages.invoices, closedBefore });
    case 'cards': {
      const page = await checkCards(tx, { after, limit: pages.cards });
      return { ...page, breaches: { charges_are_counted: page.breaches } };
    }
    case 'sequences': {
      const page = await checkSequences(tx, { after, limit: pages.sequences, closedBefore });
      const { breaches, undelivered } = page;
      return {
        ...page,
        breaches: { [sequencePromise.name]: breaches, [deliveredPromise.name]: undelivered },
      };
    }
    case 'totals': {
      const limit = pages.merchants;
      const page = await checkTotals(tx, { after: merchantId, limit, closedBefore, at });
      return { ...page, rows: 0, breaches: { [keptPromise.name]: page.breaches } };
    }
  }
}

const phases: readonly Phase[] = ['invoices', 'cards', 'sequences', 'totals'];

function phaseAfter(phase: Phase): Phase | undefined {
  return phases[phases.indexOf(phase) + 1];
}

function firstPlace(phase: Phase | undefined): readonly [string, string] {
  return ['', phase === 'sequences' ? '0' : ''];
}

function toCheck(row: CheckRow): InvariantCheck {
  return {
    checkId: row.check_id,
    state: row.state,
    rowsRead: row.rows_read,
    startedAt: row.started_at,
    updatedAt: row.updated_at,
    ...present({ endedAt: row.ended_at ?? undefined }),
    items: checkedPromises.map(({ name, promise }) => ({
      name,
      promise,
      breaches: row.breaches[name] ?? 0,
    })),
  };
}
