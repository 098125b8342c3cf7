/**
 * To be joined laterally with events `e` that are being written: the further endpoints `n` that take each.
 * A look-up for each event; most merchants have none.
 */
export function takersOf(e: string): string {
  return `(
        select t.endpoint_id from endpoints t
        where t.merchant_id = ${e}.merchant_id and t.removed_at is null
          and ${e}.type = any (t.event_types)
        offset 0
      ) n`;
}
