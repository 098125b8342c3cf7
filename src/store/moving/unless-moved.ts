/**
 * SQL of rows whose merchant is not on its way to another cell, to follow another condition: work of those
 * is left where it is. `offset 0` keeps it a look-up for each row.
 */
export function unlessMoved(alias: string): string {
  return `and not exists (
    select 1 from merchant_moves v where v.merchant_id = ${alias}.merchant_id offset 0)`;
}
