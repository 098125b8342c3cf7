import { present } from '../../domain/present.ts';
import { deliveryStates } from '../../domain/states.ts';
import type { Page } from '../../recovery/api.ts';
import type {
  DeliveryTry,
  ListDeliveries,
  OperatorDelivery,
} from '../../recovery/reports/operator-views.ts';
import type { DeliveryDetail } from '../../recovery/reports/webhooks.ts';
import { withArchived } from '../archive/over-archived.ts';
import { findPaymentsOfPackedEvent } from '../archive/packed-ids.ts';
import type { Queryable, Statement } from '../database.ts';
import { cursorRefused, decodeCursor, pageOf } from '../page-cursor.ts';
import { type DeliveryRow, deliveryColumns, toDeliveryView } from '../views/delivery-row.ts';

/** Tries shown with a delivery, the latest ones: three windows' worth. */
const maxTries = 50;

/** Where the deliveries of one kind of endpoint stand; `own` is their endpoint, as the last parameter. */
interface Source {
  readonly suffix: string;
  readonly table: string;
  readonly sends: string;
  /** To be read of a delivery `d`. */
  readonly columns: string;
  own(of: string, parameter: string): string;
}

const primary: Source = {
  suffix: '',
  table: 'deliveries',
  sends: 'delivery_sends',
  columns: 'null::text as endpoint_id, ',
  own: () => '',
};
const further: Source = {
  suffix: '_of_endpoint',
  table: 'endpoint_deliveries',
  sends: 'endpoint_delivery_sends',
  columns: 'd.endpoint_id, ',
  own: (of, parameter) => `and ${of}.endpoint_id = ${parameter}`,
};

/** What a page of deliveries shows; the tries are read for the page's own rows alone. */
function listStatement(name: string, source: Source, rows: string): Statement {
  return {
    name: `${name}${source.suffix}`,
    text: `
      select ${deliveryColumns}, ${source.columns}d.created_at, e.invoice_id, d.sequence::text,
        (select json_agg(json_build_object('number', t.number, 'sent_at', t.sent_at,
                  'status', t.status, 'error', t.error, 'duration_ms', t.duration_ms,
                  'answer', t.answer)
                order by t.number)
         from (select * from ${source.sends} t
               where t.merchant_id = d.merchant_id and t.event_id = d.event_id
                 ${source.own('t', 'd.endpoint_id')}
               order by t.number desc limit ${maxTries}) t) as log
      from (${rows}) d
      join events e on e.merchant_id = d.merchant_id and e.event_id = d.event_id
      order by d.created_at desc, d.sequence desc`,
  };
}

/**
 * A page of deliveries `d`, newest first, and of one moment in the order of their numbers. The first
 * condition on created_at is what an index is entered with; the second is the exact place.
 */
const page = (from: string, where: string): string => `
  select d.*, e.sequence from ${from}
  where ${where}
    and d.created_at <= coalesce($3, 'infinity'::timestamptz)
    and (d.created_at, e.sequence) < (coalesce($3, 'infinity'::timestamptz), coalesce($4::bigint, 0))
  order by d.created_at desc, e.sequence desc
  limit $5`;

const statementsOf = (source: Source) => ({
  /** Each state gives its newest rows from its own part of the index. */
  list: listStatement(
    'list_operator_deliveries',
    source,
    `select d.* from unnest($2::text[]) as s (state)
     cross join lateral (${page(
       `${source.table} d join events e using (merchant_id, event_id)`,
       `d.merchant_id = $1 and d.state = s.state ${source.own('d', '$6')}`,
     )}) d
     order by d.created_at desc, d.sequence desc
     limit $5`,
  ),
  listOfInvoice: listStatement(
    'list_operator_deliveries_of_invoice',
    source,
    page(
      `events e join ${source.table} d using (merchant_id, event_id)`,
      `e.merchant_id = $1 and e.invoice_id = $6 and d.state = any ($2::text[]) ${source.own('d', '$7')}`,
    ),
  ),
  find: listStatement(
    'find_operator_delivery',
    source,
    `select d.*, e.sequence from ${source.table} d join events e using (merchant_id, event_id)
     where d.merchant_id = $1 and d.event_id = $2 ${source.own('d', '$3')}`,
  ),
});

const ofPrimary = statementsOf(primary);
const ofFurther = statementsOf(further);

const bodyOf: Statement = {
  name: 'event_body',
  text: 'select body from events where merchant_id = $1 and event_id = $2',
};

const sequenceShape = /^\d{1,18}$/;

interface OperatorDeliveryRow extends DeliveryRow {
  readonly endpoint_id: string | null;
  readonly created_at: Date;
  readonly invoice_id: string | null;
  readonly sequence: string;
  readonly log: readonly TryJson[] | null;
}

/** As JSON gives it: the instant is a text. */
interface TryJson {
  readonly number: number;
  readonly sent_at: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
  readonly answer: string | null;
}

/** Newest first. @throws AppError invalid_request for a cursor of another list */
export async function listOperatorDeliveries(
  db: Queryable,
  input: ListDeliveries,
): Promise<Page<OperatorDelivery>> {
  const { merchantId, status, invoiceId, endpointId, limit } = input;
  const after = decodeCursor(input.cursor, 1);
  const [at, sequence] = after ?? [];
  if (sequence !== undefined && !sequenceShape.test(sequence)) throw cursorRefused();
  const states = status === undefined ? deliveryStates : [status];
  const values = [merchantId, states, at, sequence, limit + 1];
  const { list, listOfInvoice } = endpointId === undefined ? ofPrimary : ofFurther;
  const own = endpointId === undefined ? [] : [endpointId];
  const rows =
    invoiceId === undefined
      ? await db.query<OperatorDeliveryRow>(list, [...values, ...own])
      : await withArchived(db, { merchantId, invoiceId }, (whole) =>
          whole.query<OperatorDeliveryRow>(listOfInvoice, [...values, invoiceId, ...own]),
        );
  return pageOf(rows, limit, {
    item: toDelivery,
    keys: (row) => [row.created_at.toISOString(), row.sequence],
  });
}

interface OfEvent {
  readonly merchantId: string;
  readonly eventId: string;
  /** A further endpoint; absent: the merchant's own webhook address. */
  readonly endpointId?: string;
}

/** An event with the text that is sent, and its tries. */
export async function findOperatorDelivery(
  db: Queryable,
  input: OfEvent,
): Promise<Omit<DeliveryDetail, 'headers'> | undefined> {
  const found = await readDelivery(db, input);
  if (found !== undefined) return found;
  for (const payment of await findPaymentsOfPackedEvent(db, input)) {
    const packed = await withArchived(db, payment, (whole) => readDelivery(whole, input));
    if (packed !== undefined) return packed;
  }
  // In neither place: perhaps it was put back between the two looks.
  return readDelivery(db, input);
}

async function readDelivery(db: Queryable, { merchantId, eventId, endpointId }: OfEvent) {
  const key = [merchantId, eventId];
  const [[row], [event]] = await Promise.all([
    endpointId === undefined
      ? db.query<OperatorDeliveryRow>(ofPrimary.find, key)
      : db.query<OperatorDeliveryRow>(ofFurther.find, [...key, endpointId]),
    db.query<{ body: string }>(bodyOf, key),
  ]);
  if (row === undefined || event === undefined) return undefined;
  return { delivery: toDelivery(row), body: event.body };
}

function toDelivery(row: OperatorDeliveryRow): OperatorDelivery {
  return {
    ...toDeliveryView(row),
    ...present({
      endpointId: row.endpoint_id ?? undefined,
      invoiceId: row.invoice_id ?? undefined,
    }),
    sequence: BigInt(row.sequence),
    createdAt: row.created_at,
    log: (row.log ?? []).map(toTry),
  };
}

function toTry(json: TryJson): DeliveryTry {
  return {
    number: json.number,
    sentAt: new Date(json.sent_at),
    ...present({
      status: json.status ?? undefined,
      error: json.error ?? undefined,
      answer: json.answer ?? undefined,
    }),
    durationMs: json.duration_ms,
  };
}
