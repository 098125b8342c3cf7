/**
 * What becomes of each table that has a merchant's rows when the merchant moves to another cell. A test holds
 * these lists against the schema, so that a new table cannot be forgotten.
 */

/** How a table's rows get into the other cell: as they are, unless something is said. */
export type MovingForm =
  /** Each row as it is. */
  | 'rows'
  /** Wrapped anew, by the other cell's key. */
  | 'rewrapped'
  /** After the lines that are there from an earlier stay. */
  | 'appended'
  /** Under new numbers: the old ones are the cell's own. */
  | 'renumbered'
  /** Not moved: counted there, as far as the other cell has counted. */
  | 'recounted';

export interface MovedTable {
  readonly name: string;
  readonly form: MovingForm;
  /** Whether it is refused what is written about a merchant that has left. Sums that jobs make are not. */
  readonly isFenced: boolean;
  /** Rows that are read at once, of a table whose rows are large. */
  readonly chunkRows?: number;
  /**
   * What opens a person's data, or tells of them in words: an erasure destroys it. It is not sent ahead, while the cell
   * that is left takes erasures yet and cannot reach what waits in the other one.
   */
  readonly isErasable?: true;
}

const own = (name: string, form: MovingForm = 'rows'): MovedTable => ({
  name,
  form,
  isFenced: true,
});
const erasable = (name: string): MovedTable => ({ ...own(name), isErasable: true });
const sums = (name: string, form: MovingForm = 'rows'): MovedTable => ({
  name,
  form,
  isFenced: false,
});

/** In an order in which each row finds what it refers to. */
export const movedTables: readonly MovedTable[] = [
  own('merchants'),
  // Nothing is sealed by a new one that is not refused: the key of the cell may be rotated meanwhile.
  { ...own('data_keys', 'rewrapped'), isFenced: false },
  own('secrets'),
  own('credentials'),
  own('psp_connections'),
  own('analytics_index_keys'),
  erasable('analytics_subjects'),
  own('analytics'),
  own('payment_methods'),
  own('payments'),
  own('archived_payments'),
  own('archive_progress'),
  own('customer_contacts'),
  own('message_settings'),
  own('message_templates'),
  own('customer_addresses'),
  own('message_suppressions'),
  own('message_threads'),
  own('customer_messages'),
  own('closed_invoices'),
  own('debt_identities'),
  own('requests'),
  own('attempts'),
  own('psp_transactions'),
  own('transactions'),
  own('cards'),
  own('card_attempts'),
  own('network_fees'),
  own('event_counters'),
  own('endpoints'),
  own('events'),
  own('deliveries'),
  own('delivery_tries'),
  own('endpoint_deliveries'),
  own('endpoint_delivery_tries'),
  own('disputes'),
  own('dispute_details'),
  erasable('dispute_rebuttals'),
  erasable('dispute_attachments'),
  { ...own('dispute_attachment_parts'), chunkRows: 16 },
  own('dispute_changes'),
  own('dispute_matches'),
  own('dispute_submissions'),
  own('dispute_assignments'),
  erasable('dispute_notes'),
  own('incidents'),
  own('psp_events'),
  own('psp_event_notes'),
  own('idempotency_keys'),
  own('subscription_cards'),
  own('card_notices'),
  own('card_messages'),
  own('statements'),
  own('models'),
  own('trainings'),
  own('learned_segments'),
  own('what_ifs'),
  own('replays'),
  own('bulk_actions'),
  own('reconciliations'),
  own('reconciliation_pages'),
  own('reconciliation_charges'),
  own('audit_log', 'appended'),
  sums('busy_cards'),
  sums('card_limit_rollups'),
  sums('cohort_rollups'),
  sums('planned_rollups'),
  sums('recovered_rollups'),
  sums('rolled_up_payments'),
  sums('settled_charges'),
  sums('uplift_payments'),
  sums('uplift_sums'),
  sums('experiment_sums'),
  sums('charge_hour_rollups', 'recounted'),
  sums('charge_cause_rollups', 'recounted'),
  sums('control_totals'),
  sums('control_recounts'),
  sums('control_differences'),
  // The last one: rows before it leave entries of their own.
  sums('control_entries', 'renumbered'),
];

/** Tables with merchants in them that are not moved, and why. */
export const stayingTables: Readonly<Record<string, string>> = {
  alert_silences: 'what the people of a cell want to hear',
  alert_states: 'what a cell has seen; the other one sees for itself',
  audit_heads: 'made by the lines of the audit log',
  merchant_arrivals: 'of moves themselves',
  merchant_moves: 'of moves themselves',
  moved_credentials: 'of moves themselves',
  moving_rows: 'of moves themselves',
  portal_links: "point to a cell's own dashboard: new ones are made there",
  portal_sessions: 'end with their links',
  saved_views: "are of a cell's people",
};

/** Of these nothing is left in the old cell either, once it is cleared. */
export const endingTables = ['portal_sessions', 'portal_links'] as const;
