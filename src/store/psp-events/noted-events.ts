/**
 * SQL of the notes of PSPs' events that `where` is said of, wherever they stand: what is kept for good in
 * `psp_events`, all else in the tables of months. The condition is said of each, so that each finds it by its own index.
 */
export function notedEvents(columns: string, where: string): string {
  const from = (table: string) => `select ${columns} from ${table} where ${where}`;
  return `${from('psp_events')} union all ${from('psp_event_notes')}`;
}
