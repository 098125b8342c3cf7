import { AppError } from '../../domain/errors.ts';
import { type CellConnection, rowsOf } from './cell-connection.ts';
import { movedTables } from './moved-tables.ts';
import { readShape, type TableShape } from './table-shape.ts';

interface Ends {
  readonly source: CellConnection;
  readonly target: CellConnection;
}

/** As far as a process's clock may be from its database's before it takes no work. */
const clocksApartMs = 2_000;

/**
 * That the two cells can hold the same rows, with the same meaning; how their tables are.
 *
 * @throws AppError move_cells_same, move_schemas_differ, move_clocks_differ
 */
export async function checkEnds(ends: Ends): Promise<readonly TableShape[]> {
  const { source, target } = ends;
  if (source.cell === target.cell) throw new AppError('move_cells_same');
  await requireSameMigrations(ends);
  await requireSameClocks(ends);
  const tables: TableShape[] = [];
  for (const table of movedTables) {
    const shape = await readShape(source, table);
    const there = await readShape(target, table);
    if (shape.signature !== there.signature) {
      throw new AppError('move_schemas_differ', `The table ${table.name} has other columns there.`);
    }
    tables.push(shape);
  }
  return tables;
}

const holdsHere = `
  select 1 from merchants where merchant_id = $1 and (customer_page_url is not null or messages_on)
  union all select 1 from message_suppressions where merchant_id = $1
  union all select 1 from customer_addresses where merchant_id = $1
  union all select 1 from customer_messages where merchant_id = $1
  union all select 1 from card_messages where merchant_id = $1
  limit 1`;

/**
 * That nothing of the merchant is told by a key that stays: who stopped messages would be written to again.
 *
 * @throws AppError move_messages_stay
 */
export async function requireNoMessages(
  source: CellConnection,
  merchantId: string,
  detail?: string,
): Promise<void> {
  const rows = await rowsOf(source, holdsHere, [merchantId]);
  if (rows.length > 0) throw new AppError('move_messages_stay', detail);
}

async function requireSameMigrations({ source, target }: Ends): Promise<void> {
  const [ours, theirs] = await Promise.all([source, target].map(migrationsOf));
  const differ = [...(ours ?? []), ...(theirs ?? [])].find(
    (one) => !(ours?.includes(one) && theirs?.includes(one)),
  );
  if (differ === undefined) return;
  throw new AppError(
    'move_schemas_differ',
    `The migration ${differ.split(' ')[0]} has run in one of them alone, or otherwise.`,
  );
}

async function migrationsOf(cell: CellConnection): Promise<readonly string[]> {
  const rows = await rowsOf<{ one: string }>(
    cell,
    `select name || ' ' || coalesce(checksum, '') as one from migrations order by name`,
  );
  return rows.map(({ one }) => one);
}

/** Due times, leases and how long an answer is waited for are times of the cell's database, and of its sandbox. */
async function requireSameClocks({ source, target }: Ends): Promise<void> {
  const [ours, theirs] = await Promise.all([source, target].map(clockOf));
  if (ours === undefined || theirs === undefined) return;
  const aheadMs = Math.round(theirs.now_ms - ours.now_ms);
  if (Math.abs(aheadMs) <= clocksApartMs) return;
  const side = aheadMs > 0 ? 'ahead of' : 'behind';
  throw new AppError(
    'move_clocks_differ',
    `The clock there is ${Math.abs(aheadMs)} ms ${side} this cell's.`,
  );
}

/** A sandbox's is moved by jumps, to the millisecond at which each ended: no two ever stand alike. */
async function clockOf(cell: CellConnection) {
  const [row] = await rowsOf<{ now_ms: number }>(
    cell,
    `select (extract(epoch from clock_timestamp()) * 1000 + offset_ms)::float8 as now_ms
     from sandbox_clock`,
  );
  return row;
}
