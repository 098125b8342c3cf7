import type { Database, Queryable, Statement } from '../../../src/store/database.ts';
import type { MerchantDatabases } from '../../../src/store/wall/merchant-databases.ts';
import { merchantsSetting } from '../../../src/store/wall/rights.ts';
import { type Role, roles } from '../../../src/store/wall/roles.ts';
import { whoIsServed } from '../../../src/store/wall/serving.ts';
import { withoutCondition } from './without-condition.ts';

/** What came of a statement without its conditions. */
export interface Tried {
  readonly statement: string;
  /** What it gave, or did to, of the merchant whose ids it was given. */
  readonly reached: readonly string[];
}

/** What was tried so far. */
export interface Trials {
  /** As it is: with a merchant set that the ids are not of. */
  readonly behindTheWall: Tried[];
  /** The same without a wall, which says that there was something to be kept. */
  readonly inTheOpen: Tried[];
  /** Statements that have no such condition. */
  readonly unconditional: Set<string>;
}

let stranger: string | undefined;
/** The merchant that statements are tried as; none before it is known. */
export function tryAs(merchantId: string): void {
  stranger = merchantId;
}

export const trials: Trials = { behindTheWall: [], inTheOpen: [], unconditional: new Set() };

/**
 * Databases that try each statement before they run it, with what it is given then, where its rows are
 * as it will find them: without its conditions, as another merchant, and takes it back.
 */
export function tryingDatabases(real: MerchantDatabases, login: Database): MerchantDatabases {
  const over = (database: Database, role: Role, ids: () => readonly string[]): Database => ({
    ...database,
    async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
      const of = ids();
      await login.transaction((tx) => tryStatement(tx, { statement, values, role, of }));
      return database.query<Row>(statement, values);
    },
    transaction: (work, plans) =>
      database.transaction(
        (tx) =>
          work({
            async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
              await tryStatement(tx, { statement, values, role, of: ids() });
              return tx.query<Row>(statement, values);
            },
          }),
        plans,
      ),
  });
  return {
    ...real,
    served: over(real.served, roles.api, () => [whoIsServed() ?? []].flat()),
    of: (merchantId) => over(real.of(merchantId), roles.api, () => [merchantId]),
    among: (merchantIds) => over(real.among(merchantIds), roles.intake, () => merchantIds),
    async close() {
      await Promise.all([real.close(), login.close()]);
    },
  };
}

interface Trial {
  readonly statement: Statement;
  readonly values: readonly unknown[];
  readonly role: Role;
  /** Whose ids the values are. */
  readonly of: readonly string[];
}

async function tryStatement(tx: Queryable, trial: Trial): Promise<void> {
  const { name, text } = trial.statement;
  const [merchantId] = trial.of;
  if (stranger === undefined || merchantId === undefined || merchantId === stranger) return;
  const cut = withoutCondition(text);
  if (cut === undefined) trials.unconditional.add(name);
  const input = { ...trial, cut: cut ?? text };
  trials.behindTheWall.push({ statement: name, reached: await reach(tx, input, true) });
  trials.inTheOpen.push({ statement: name, reached: await reach(tx, input, false) });
}

/** What the statement gives or changes that the stranger does not have; nothing of it remains. */
async function reach(
  tx: Queryable,
  input: Trial & { readonly cut: string },
  isBehind: boolean,
): Promise<readonly string[]> {
  const { cut, values, role } = input;
  await run(tx, 'savepoint trial');
  try {
    await run(tx, 'set local role none');
    await run(tx, showShards);
    const own = await textOf(tx, stranger ?? '');
    const before = await changesOf(tx);
    await run(tx, `set local ${merchantsSetting} = '${stranger}'`);
    if (isBehind) await run(tx, `set local role ${role}`);
    const rows = await tx.query({ name: nameOf(cut), text: cut }, values);
    await run(tx, 'set local role none');
    const after = await changesOf(tx);
    const known = `${own} ${cut} ${JSON.stringify(values)}`;
    const seen = scalarsIn(rows).map(String);
    const changed = [...after].filter(([table, changes]) => before.get(table) !== changes);
    return [
      ...seen.filter((one) => !known.includes(one)),
      ...changed.map(([table]) => `a change of ${table}`),
    ];
  } catch (error) {
    // The wall refuses rows that are not the stranger's; any other refusal would say nothing of it.
    if (!isBehind || /row-level security|permission denied/.test(String(error))) return [];
    throw error;
  } finally {
    await run(tx, 'rollback to savepoint trial');
  }
}

/** What a Citus node writes is in shards, which it names to nobody otherwise. */
const showShards = 'set local citus.override_table_visibility = off';

async function run(tx: Queryable, text: string): Promise<void> {
  await tx.query({ name: nameOf(text), text }, []);
}

const names = new Map<string, string>();
function nameOf(text: string): string {
  const name = names.get(text) ?? `trial ${names.size}`;
  names.set(text, name);
  return name;
}

let tables: readonly string[] | undefined;

async function tablesOf(tx: Queryable): Promise<readonly string[]> {
  const rows = await tx.query<{ name: string }>(
    {
      name: 'tables with merchants',
      text: `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
             where c.relkind = 'r' and a.attname = 'merchant_id' and not a.attisdropped
               and c.relnamespace = current_schema()::regnamespace and c.relname <> 'process_clocks'
             order by 1`,
    },
    [],
  );
  return rows.map((row) => row.name);
}

/** How many rows of each table this transaction has written, or taken away so far. */
async function changesOf(tx: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ name: string; changes: number }>(
    {
      name: 'changes so far',
      text: `select relname as name, (n_tup_ins + n_tup_upd + n_tup_del)::int as changes
             from pg_stat_xact_user_tables where n_tup_ins + n_tup_upd + n_tup_del > 0`,
    },
    [],
  );
  return new Map(rows.map((row) => [row.name, row.changes]));
}

const instant = /\d{4}-\d\d-\d\dT[\d:.]+\+00:00/g;

/** All that is kept of a merchant, which it may be given. */
async function textOf(tx: Queryable, merchantId: string): Promise<string> {
  tables ??= await tablesOf(tx);
  const each = tables.map(
    (table) => `select to_jsonb(t)::text as row from ${table} t where merchant_id = $1`,
  );
  const rows = await tx.query<{ row: string }>(
    { name: 'rows of a merchant', text: each.join('\nunion all\n') },
    [merchantId],
  );
  const text = rows.map(({ row }) => row).join('\n');
  return text.replaceAll(instant, (found) => new Date(found).toISOString());
}

/** Values that say something: neither nothing, nor yes or no, nor a count of nothing. */
function scalarsIn(value: unknown): (string | number)[] {
  if (Array.isArray(value)) return value.flatMap(scalarsIn);
  if (value instanceof Date) return [value.toISOString()];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('hex')];
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(scalarsIn);
  if (typeof value === 'number') return value === 0 ? [] : [value];
  return typeof value === 'string' && value !== '' && value !== '0' ? [value] : [];
}
