import { present } from '../../domain/present.ts';
import { deliveryStates } from '../../domain/states.ts';
import type { Page } from '../../recovery/api.ts';
import type {
  DeliveryTry,
  ListDeliveries,
  OperatorDelivery,
} from '../../recovery/reports/operator-views.ts';
import type { DeliveryDetail } from '../../recovery/reports/webhooks.ts';
import type { Queryable, Statement } from '../database.ts';
import { cursorRefused, decodeCursor, pageOf } from '../page-cursor.ts';
import { type DeliveryRow, deliveryColumns, toDeliveryView } from '../views/delivery-row.ts';

/** Tries shown with a delivery, the latest ones: three windows' worth. */
const maxTries = 50;

/** What a page of deliveries shows; the tries are read for the page's own rows alone. */
function listStatement(name: string, rows: string): Statement {
  return {
    name,
    text: `
      select ${deliveryColumns}, d.created_at, e.invoice_id, d.sequence::text,
        (select json_agg(json_build_object('number', t.number, 'sent_at', t.sent_at,
                  'status', t.status, 'error', t.error, 'duration_ms', t.duration_ms, 'answer', t.answer)
                order by t.number)
         from (select * from delivery_sends t
               where t.merchant_id = d.merchant_id and t.event_id = d.event_id
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

/** Each state gives its newest rows from its own part of the index. */
const list = listStatement(
  'list_operator_deliveries',
  `select d.* from unnest($2::text[]) as s (state)
   cross join lateral (${page(
     'deliveries d join events e using (merchant_id, event_id)',
     'd.merchant_id = $1 and d.state = s.state',
   )}) d
   order by d.created_at desc, d.sequence desc
   limit $5`,
);

const listOfInvoice = listStatement(
  'list_operator_deliveries_of_invoice',
  page(
    'events e join deliveries d using (merchant_id, event_id)',
    'e.merchant_id = $1 and e.invoice_id = $6 and d.state = any ($2::text[])',
  ),
);

const find = listStatement(
  'find_operator_delivery',
  `select d.*, e.sequence from deliveries d join events e using (merchant_id, event_id)
   where d.merchant_id = $1 and d.event_id = $2`,
);

const bodyOf: Statement = {
  name: 'event_body',
  text: 'select body from events where merchant_id = $1 and event_id = $2',
};

const sequenceShape = /^\d{1,18}$/;

interface OperatorDeliveryRow extends DeliveryRow {
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
  const { merchantId, status, invoiceId, limit } = input;
  const after = decodeCursor(input.cursor, 1);
  const [at, sequence] = after ?? [];
  if (sequence !== undefined && !sequenceShape.test(sequence)) throw cursorRefused();
  const states = status === undefined ? deliveryStates : [status];
  const values = [merchantId, states, at, sequence, limit + 1];
  const rows =
    invoiceId === undefined
      ? await db.query<OperatorDeliveryRow>(list, values)
      : await db.query<OperatorDeliveryRow>(listOfInvoice, [...values, invoiceId]);
  return pageOf(rows, limit, {
    item: toDelivery,
    keys: (row) => [row.created_at.toISOString(), row.sequence],
  });
}

/** An event with the text that is sent, and its tries. */
export async function findOperatorDelivery(
  db: Queryable,
  input: { readonly merchantId: string; readonly eventId: string },
): Promise<Omit<DeliveryDetail, 'headers'> | undefined> {
  const key = [input.merchantId, input.eventId];
  const [[row], [event]] = await Promise.all([
    db.query<OperatorDeliveryRow>(find, key),
    db.query<{ body: string }>(bodyOf, key),
  ]);
  if (row === undefined || event === undefined) return undefined;
  return { delivery: toDelivery(row), body: event.body };
}

function toDelivery(row: OperatorDeliveryRow): OperatorDelivery {
  return {
    ...toDeliveryView(row),
    ...present({ invoiceId: row.invoice_id ?? undefined }),
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
