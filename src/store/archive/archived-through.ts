/** SQL: the number of a merchant's last event that is in the archive; its log begins after it. */
export function archivedThrough(merchant: string): string {
  return `coalesce((
      select ap.through_sequence from archive_progress ap where ap.merchant_id = ${merchant}), 0)`;
}

/** SQL, a condition: whether webhooks of a merchant's day may be in the archive, where no count of rows finds them. */
export function isArchivedDay(merchant: string, day: string): string {
  return `${day} <= coalesce((
      select ap.through_day from archive_progress ap where ap.merchant_id = ${merchant}), '-infinity'::date)`;
}

/** Kinds of control totals that webhooks are counted in. */
export const webhookKinds = `('announced', 'created', 'delivered', 'pending', 'exhausted')`;
