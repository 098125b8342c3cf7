import type { InvoiceOf } from '../../recovery/api.ts';
import { type PackedTable, packedTables, unsaid } from './packed-rows.ts';

/** What was packed of a payment as the value of a parameter, with what it takes to make rows of it again. */
export function unpackedValue({ merchantId, invoiceId }: InvoiceOf, packed: string): string {
  const of = JSON.stringify({ merchant_id: merchantId, invoice_id: invoiceId });
  return `{"of":${of},"unsaid":${JSON.stringify(unsaid)},"packed":${packed}}`;
}

/** Which payment the parameter is of, as a condition on rows with its keys. */
const isOfPayment = (row: string, value: string): string => `
  ${row}.merchant_id = (${value} -> 'of' ->> 'merchant_id')
    and ${row}.invoice_id = (${value} -> 'of' ->> 'invoice_id')`;

/** The packed rows of a table, as rows of the table's own type. */
export const unpackedRows = (table: PackedTable, value: string): string => `
  select r.* from jsonb_populate_recordset(
    jsonb_populate_record(null::${table}, (${value} -> 'unsaid' -> '${table}') || (${value} -> 'of')),
    ${value} -> 'packed' -> '${table}') r`;

/** Rows of a table with the columns back that were packed. */
const whole = (table: string, row: string, packed: string): string =>
  `jsonb_populate_record(null::${table}, to_jsonb(${row}) || coalesce(${packed}, '{}'))`;

/**
 * The tables, and the views of them, as they would be had the payment not been packed, each by its name: parts of a
 * statement about this payment alone. A webhook that was written since is among them.
 */
export function unpackedParts(value: string): Readonly<Record<string, string>> {
  const packed = (table: string) => `${value} -> 'packed' -> '${table}'`;
  const wholeCharge = whole(
    'psp_transactions',
    't',
    `${packed('charges')} -> (t.attempt_id || '/' || t.ordinal)`,
  );
  const events = `
    ${unpackedRows('events', value)}
    union select * from events e where ${isOfPayment('e', value)}`;
  const ofEvents = (table: PackedTable) => `
    ${unpackedRows(table, value)}
    union select r.* from events e join ${table} r using (merchant_id, event_id)`;
  return {
    payments: `
      select r.* from payments p
      cross join lateral ${whole('payments', 'p', packed('payment'))} r
      where ${isOfPayment('p', value)}`,
    attempts: `
      select r.* from attempts a
      cross join lateral ${whole('attempts', 'a', `${packed('attempts')} -> a.attempt_id`)} r
      where ${isOfPayment('a', value)}`,
    recorded_attempts: `
      select merchant_id, attempt_id, invoice_id, number, state, decision, check_answer, blocked_charges,
             amount_minor, currency, started_at, ended_at, contradicts
      from attempts
      union all
      select r.merchant_id, r.attempt_id, r.invoice_id, r.attempt_number, r.state, r.attempt_decision, r.check_answer,
             null, r.amount_minor, r.currency, r.attempt_started_at, r.settled_at, false
      from psp_transactions t
      cross join lateral ${wholeCharge} r
      where ${isOfPayment('t', value)} and t.attempt_number is not null`,
    // None that is archived has a charge on its way.
    all_attempts: 'select * from recorded_attempts',
    psp_transactions: `
      select r.* from recorded_attempts a join psp_transactions t using (merchant_id, attempt_id)
      cross join lateral ${wholeCharge} r
      where ${isOfPayment('a', value)}`,
    ...Object.fromEntries(
      packedTables.map((table) => [table, table === 'events' ? events : ofEvents(table)]),
    ),
    delivery_sends: sends('delivery_tries', 'deliveries', 'merchant_id, event_id'),
    endpoint_delivery_sends: sends(
      'endpoint_delivery_tries',
      'endpoint_deliveries',
      'merchant_id, event_id, endpoint_id',
    ),
  };
}

/** In the words of the views. */
const sends = (tries: PackedTable, deliveries: PackedTable, keys: string): string => `
  select ${keys}, number, sent_at, status, error, duration_ms, answer from ${tries}
  union all
  select ${keys}, tries, last_sent_at, last_status, last_error, last_duration_ms, last_answer
  from ${deliveries} where last_sent_at is not null`;
