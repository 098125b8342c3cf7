/**
 * SQL of rows whose merchant is not on its way to another cell, to follow another condition: work of those
 * is left where it is. `offset 0` keeps it a look-up for each row.
 */
export function unlessMoved(alias: string): string {
  return `and not exists (
    select 1 from merchant_moves v where v.merchant_id = ${alias}.merchant_id offset 0)`;
}

/**
 * The same of rows that are this cell's to tell of: those of a merchant that has moved are copies, and only the other
 * cell can do anything about them. One that is on its way yet is here.
 */
export function unlessLeft(alias: string): string {
  return `and not exists (
    select 1 from merchant_moves v
    where v.merchant_id = ${alias}.merchant_id and v.state = 'moved' offset 0)`;
}
