import type { InvoiceOf } from '../../recovery/api.ts';
import type { Queryable, Statement } from '../database.ts';
import { decompress } from './compress.ts';
import { findPlace } from './find-archived.ts';

/** Characters of its id by which a packed webhook is found: `evt_`, and forty random bits. */
const knownLength = 12;

/**
 * SQL: the number that is kept of a webhook's id, which a beginning of the id gives as well: an array can be searched for
 * whole numbers alone, and a second one for each would double that and its index. What was found is compared with the
 * packed row.
 */
export const numberOfId = (id: string): string =>
  `hashtextextended(left(${id}, ${knownLength}), 0)`;

/** SQL, a condition on a packed row: whether an id in it perhaps begins so. The oldest rows have numbers of whole ids. */
export const mayHoldId = (row: string, text: string): string => `
  ${row}.ids && array[${numberOfId(text)}, hashtextextended(${text}, 0)]`;

const ofEvent: Statement = {
  name: 'find_payments_of_archived_id',
  text: `
    select a.invoice_id, a.packed from archived_payments a
    where a.merchant_id = $1 and ${mayHoldId('a', '$2::text')}`,
};

export interface PackedEvent {
  readonly merchantId: string;
  readonly eventId: string;
  /** One that was sent to this further endpoint; absent: to whichever. */
  readonly endpointId?: string;
}

/** The payments with such a packed event: one or none. */
export async function findPaymentsOfPackedEvent(
  db: Queryable,
  event: PackedEvent,
): Promise<readonly InvoiceOf[]> {
  const { merchantId, eventId } = event;
  const rows = await db.query<{ invoice_id: string; packed: Buffer }>(ofEvent, [
    merchantId,
    eventId,
  ]);
  return rows
    .filter((row) => isPackedIn(decompress(row.packed), event))
    .map((row) => ({ merchantId, invoiceId: row.invoice_id }));
}

function isPackedIn(packed: string, { eventId, endpointId }: PackedEvent): boolean {
  if (endpointId === undefined) return packedIds(packed).includes(eventId);
  // What was packed before there were further endpoints has no such part.
  const { endpoint_deliveries: deliveries = [] } = JSON.parse(packed) as {
    endpoint_deliveries?: readonly { event_id: string; endpoint_id: string }[];
  };
  return deliveries.some((row) => row.event_id === eventId && row.endpoint_id === endpointId);
}

/**
 * SQL: the payments `found` of a merchant `m` that are in one of these places, or else perhaps by a webhook in the
 * archive whose id begins with `text`.
 */
export const foundInPlaces = (places: readonly string[], text?: string): string => {
  const inPlaces = places.map((place) => `(${place})`).join(' union ');
  const inArchive = `
      union all
      select a.invoice_id, true from archived_payments a
      where starts_with(${text}, 'evt_') and length(${text}) >= ${knownLength}
        and a.merchant_id = m.merchant_id and ${mayHoldId('a', `${text}::text`)}`;
  return `(
    select f.invoice_id, bool_and(f.is_packed) as is_packed from (
      select u.invoice_id, false as is_packed from (${inPlaces}) u${text === undefined ? '' : inArchive}
    ) f group by f.invoice_id
  ) found`;
};

/** Ids of the webhooks in what is packed of a payment. */
function packedIds(packed: string): readonly string[] {
  const { events } = JSON.parse(packed) as { events: readonly { event_id: string }[] };
  return events.map((event) => event.event_id);
}

interface FoundRow {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly is_packed: boolean;
}

/** Of found payments, those without such as have only a packed webhook whose number is that of the text. */
export async function withoutMistaken<Row extends FoundRow>(
  db: Queryable,
  rows: readonly Row[],
  isNamed: (id: string) => boolean,
): Promise<readonly Row[]> {
  const right: Row[] = [];
  for (const row of rows) {
    const of = { merchantId: row.merchant_id, invoiceId: row.invoice_id };
    const packed = row.is_packed ? (await findPlace(db, of)).packed : undefined;
    if (packed === undefined || packedIds(packed).some(isNamed)) right.push(row);
  }
  return right;
}
