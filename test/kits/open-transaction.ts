import type { Database, Queryable } from '../../src/store/database.ts';

/** A transaction that the test ends when it likes: undone at the latest when its block is left. */
export interface OpenTransaction extends Queryable, AsyncDisposable {
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export async function openTransaction({ pool }: Database): Promise<OpenTransaction> {
  const client = await pool.connect();
  await client.query('begin');
  const end = async (how: 'commit' | 'rollback') => {
    await client.query(how);
  };
  return {
    query: async (statement, values) =>
      (await client.query({ ...statement, values: [...values] })).rows,
    commit: () => end('commit'),
    rollback: () => end('rollback'),
    async [Symbol.asyncDispose]() {
      // Of one that has ended this says a warning, and no more.
      await end('rollback');
      client.release();
    },
  };
}
