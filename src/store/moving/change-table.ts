import pg from 'pg';
import { type CellConnection, rowsOf } from './cell-connection.ts';

/** All writers of a table queue behind us while we wait for it: no longer than this. */
const tableWait = '2s';
const lockNotAvailable = '55P03';

/**
 * Changes one table, in a transaction of its own; `held` where somebody has kept it for longer than is waited for.
 * A node of Citus refuses that: its coordinator does it, to the table there, on every node and to the rows' shard, so
 * the change stays where the cell is moved to another node. The node asks it, by the connections that nodes have anyway.
 */
export function changeTable(cell: CellConnection, statement: string): Promise<'changed' | 'held'> {
  const { distributed: schema } = cell;
  return schema === undefined ? changeHere(cell, statement) : changeThere(cell, schema, statement);
}

async function changeHere(cell: CellConnection, statement: string): Promise<'changed' | 'held'> {
  try {
    await rowsOf(cell, `set lock_timeout = '${tableWait}'`);
    await rowsOf(cell, statement);
    await rowsOf(cell, 'set lock_timeout = 0');
    return 'changed';
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === lockNotAvailable) return 'held';
    throw error;
  }
}

/** The nodes that it changes the table on wait no longer either. Of an error only its text comes back. */
async function changeThere(
  cell: CellConnection,
  schema: string,
  statement: string,
): Promise<'changed' | 'held'> {
  const body = `begin
    perform set_config('search_path', ${pg.escapeLiteral(schema)}, true),
            set_config('citus.propagate_set_commands', 'local', true);
    set local lock_timeout = '${tableWait}';
    ${statement};
  exception when others then
    raise exception '% %', sqlstate, sqlerrm;
  end`;
  const [answer] = await rowsOf<{ success: boolean; result: string }>(
    cell,
    'select success, result from run_command_on_coordinator($1)',
    [`do ${pg.escapeLiteral(body)}`],
  );
  if (answer?.success === true) return 'changed';
  if (answer?.result.includes(` ${lockNotAvailable} `)) return 'held';
  throw new Error(`the coordinator of Citus says: ${answer?.result}`);
}
