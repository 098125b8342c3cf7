/** What a history tells of each attempt; docs/backtest.md explains every one. */
export const columnNames = [
  'attempt_id',
  'invoice_id',
  'customer_id',
  'occurred_at',
  'amount',
  'amount_minor',
  'currency',
  'outcome',
  'decline_code',
  'network_code',
  'advice_code',
  'psp',
  'brand',
  'funding',
  'bin',
  'card',
  'time_zone',
  'propensity',
] as const;
export type ColumnName = (typeof columnNames)[number];

/** The names of a column in a shape, the one that is taken first at the front. */
type Shape = Readonly<Partial<Record<ColumnName, readonly string[]>>>;

const generic: Shape = {
  ...Object.fromEntries(columnNames.map((name) => [name, [name]])),
  attempt_id: ['attempt_id', 'id'],
  invoice_id: ['invoice_id', 'payment_id'],
  occurred_at: ['occurred_at', 'time', 'created_at'],
  outcome: ['outcome', 'status'],
  card: ['card', 'card_fingerprint', 'payment_method_id'],
};

/**
 * The dashboard's export of payments with all columns, in the names of today and of before; its
 * amounts are decimals of the major unit, its times UTC.
 */
const stripeExport: Shape = {
  attempt_id: ['id'],
  invoice_id: ['Invoice ID', 'PaymentIntent ID', 'id'],
  customer_id: ['Customer ID', 'Customer Email', 'Card Fingerprint'],
  occurred_at: ['Created date (UTC)', 'Created (UTC)'],
  amount: ['Amount'],
  currency: ['Currency'],
  outcome: ['Status'],
  decline_code: ['Decline Reason'],
  brand: ['Card Brand'],
  funding: ['Card Funding'],
  card: ['Card Fingerprint', 'Card ID'],
};

/** Charge objects of Stripe's API, one in each line: amounts in minor units, times in seconds. */
const stripeCharges: Shape = {
  attempt_id: ['id'],
  invoice_id: ['invoice', 'payment_intent', 'id'],
  customer_id: ['customer', 'payment_method_details.card.fingerprint'],
  occurred_at: ['created'],
  amount_minor: ['amount'],
  currency: ['currency'],
  outcome: ['status'],
  decline_code: ['outcome.reason', 'failure_code'],
  network_code: ['outcome.network_decline_code'],
  advice_code: ['outcome.network_advice_code'],
  brand: ['payment_method_details.card.brand'],
  funding: ['payment_method_details.card.funding'],
  bin: ['payment_method_details.card.iin'],
  card: ['payment_method_details.card.fingerprint'],
};

export type ShapeName = 'generic' | 'stripe';

/** Which shape a header, or the keys of a first object, has. */
export function detectShape(keys: readonly string[]): ShapeName {
  const known = new Set(keys);
  const isStripe = ['Created date (UTC)', 'Created (UTC)', 'payment_method_details'].some((key) =>
    known.has(key),
  );
  return isStripe ? 'stripe' : 'generic';
}

/** The names to look for, by the order of `columnNames`. */
export function namesOf(
  shape: ShapeName,
  format: 'csv' | 'ndjson',
): readonly (readonly string[])[] {
  const stripe = format === 'csv' ? stripeExport : stripeCharges;
  const names = shape === 'generic' ? generic : stripe;
  return columnNames.map((name) => names[name] ?? []);
}

const required: readonly (readonly ColumnName[])[] = [
  ['attempt_id'],
  ['invoice_id'],
  ['customer_id'],
  ['occurred_at'],
  ['amount', 'amount_minor'],
  ['currency'],
  ['outcome'],
];

/** Columns without which nothing can be said, of those that a header lacks. */
export function missingColumns(shape: ShapeName, header: readonly string[]): readonly string[] {
  const names = namesOf(shape, 'csv');
  const known = new Set(header);
  const isThere = (column: ColumnName) =>
    names[columnNames.indexOf(column)]?.some((name) => known.has(name)) === true;
  return required
    .filter((columns) => !columns.some(isThere))
    .map((columns) =>
      columns.flatMap((column) => names[columnNames.indexOf(column)] ?? []).join(' or '),
    );
}
