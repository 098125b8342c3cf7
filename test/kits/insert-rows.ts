/** Inserts rows as `to_jsonb` gives them: a way to copy rows that every server takes, Citus too. */
export async function insertRows(
  db: { query(text: string, values: readonly unknown[]): Promise<unknown> },
  table: string,
  rows: readonly object[],
): Promise<void> {
  await db.query(
    `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
    [JSON.stringify(rows)],
  );
}
