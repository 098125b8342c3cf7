import { invariant } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import { psps } from '../../domain/psps.ts';
import { holdFilters, waits } from '../../domain/states.ts';
import type { Page, PaymentSummary } from '../../recovery/api.ts';
import type { OperatorListPayments } from '../../recovery/reports/operator-views.ts';
import { foundInPlaces, withoutMistaken } from '../archive/packed-ids.ts';
import type { Queryable, Statement } from '../database.ts';
import { pageOf, placeOf } from '../page-cursor.ts';
import {
  isHeld,
  isHeldAsAsked,
  type PaymentRow,
  paymentColumns,
  toPaymentSummary,
  waitsFor,
} from '../views/payment-row.ts';

type Filters = Pick<OperatorListPayments, 'waitingFor' | 'heldBy'>;

/**
 * Newest first, over some merchants or all of them. Each merchant gives its newest rows from its own
 * index, and the newest of those make the page, so that no index has to span merchants. The first
 * condition on created_at is what the index is entered with; the second is the exact place.
 */
function listStatement(name: string, conditions: readonly string[]): Statement {
  return {
    name,
    text: `
      select p.* from merchants m
      cross join lateral (
        select ${paymentColumns('p')} from payments p
        where ${['p.merchant_id = m.merchant_id', ...conditions].join(' and ')}
          and p.created_at >= coalesce($6, '-infinity'::timestamptz)
          and p.created_at < coalesce($7, 'infinity'::timestamptz)
          and p.created_at <= coalesce($2, 'infinity'::timestamptz)
          and (p.created_at, p.merchant_id, p.invoice_id)
            < (coalesce($2, 'infinity'::timestamptz), coalesce($3, ''), coalesce($4, ''))
        order by p.created_at desc, p.invoice_id desc
        limit $5
      ) p
      where $1::text[] is null or m.merchant_id = any($1)
      order by p.created_at desc, p.merchant_id desc, p.invoice_id desc
      limit $5`,
  };
}

const listAll = listStatement('list_operator_payments', []);
const listByState = listStatement('list_operator_payments_by_state', ['p.state = $8']);

const nameOf = ({ waitingFor, heldBy }: Filters): string =>
  ['list_operator_payments_by', waitingFor, heldBy && `held_${heldBy}`].filter(Boolean).join('_');

/** One for each wait and hold: what they ask for is written out, so that each finds its index. */
const listFiltered: ReadonlyMap<string, Statement> = new Map(
  [undefined, ...waits].flatMap((waitingFor) =>
    [undefined, ...holdFilters].map((heldBy) => {
      const name = nameOf(present({ waitingFor, heldBy }));
      const conditions = [
        'p.state = coalesce($8, p.state)',
        ...(waitingFor === undefined ? [] : [waitsFor('p', waitingFor)]),
        ...(heldBy === undefined ? [] : [isHeld('p', heldBy)]),
      ];
      return [name, listStatement(name, conditions)];
    }),
  ),
);

/** All that there are, by which an index that begins with one is entered. */
export const listOfPsps = `array['${psps.join("', '")}']`;

/**
 * Where an id may stand, each with an index of its own. The ids of the failed charge are looked for
 * in the merchant's reports: their rows never change, so an index there costs one entry for each
 * failure, where one on payments would cost an entry for each step of a recovery.
 */
const places = [
  `select i.invoice_id from payments i
   where i.merchant_id = m.merchant_id and i.invoice_id = $9`,
  `select i.invoice_id from payments i
   where i.merchant_id = m.merchant_id and i.customer_id = $9`,
  `select i.invoice_id from payment_methods pm
   join payments i on i.merchant_id = pm.merchant_id and i.customer_id = pm.customer_id
   where pm.merchant_id = m.merchant_id and pm.psp_customer_id = $9 and i.psp_customer_id = $9`,
  ...['subscription_id', 'transaction_id', 'psp_transaction_id'].map(
    (column) =>
      `select t.invoice_id from transactions t
       where t.merchant_id = m.merchant_id and t.${column} = $9 and not t.success`,
  ),
  `select t.invoice_id from psp_transactions t
   where t.merchant_id = m.merchant_id and t.psp_transaction_id = $9`,
  `select t.invoice_id from psp_transactions t
   where t.merchant_id = m.merchant_id and t.idempotency_key = $9 and t.state <> 'not_made'`,
  `select t.invoice_id from psp_transactions t
   where t.merchant_id = m.merchant_id and t.idempotency_key = $9 and t.state = 'not_made'`,
  `select a.invoice_id from all_attempts a
   where a.merchant_id = m.merchant_id and a.attempt_id = $9`,
  `select e.invoice_id from events e
   where e.merchant_id = m.merchant_id and e.event_id = $9`,
  `select i.invoice_id from payment_methods pm
   join payments i on i.merchant_id = pm.merchant_id and i.customer_id = pm.customer_id
   where pm.merchant_id = m.merchant_id and pm.payment_method_id = $9
     and i.payment_method_ids @> array[$9]`,
  `select d.invoice_id from disputes d
   where d.merchant_id = m.merchant_id and d.dispute_id = $9 and d.invoice_id is not null`,
  `select d.invoice_id from disputes d
   where d.merchant_id = m.merchant_id and d.psp = any(${listOfPsps})
     and d.psp_dispute_id = $9 and d.invoice_id is not null`,
];

/** A payment that was found: `is_packed` by a webhook in the archive alone. */
export interface FoundRow extends PaymentRow {
  readonly is_packed: boolean;
}

/**
 * The payments that a search found in its places: an index look for each place and merchant, then the few rows.
 * What the places are compared with stands from `$9` on; `prefix` is how webhooks in the archive are looked for
 * as well: by a whole event id, or by its beginning.
 */
export function foundStatement(
  name: string,
  foundIn: readonly string[],
  prefix?: string,
): Statement {
  return {
    name,
    text: `
      select p.*, found.is_packed from merchants m
      cross join lateral ${foundInPlaces(foundIn, prefix)}
      join lateral (
        select ${paymentColumns('p')} from payments p
        where p.merchant_id = m.merchant_id and p.invoice_id = found.invoice_id
      ) p on true
      where ($1::text[] is null or m.merchant_id = any($1))
        and ($6::text is null or p.state = $6)
        and ($7::text is null or p.waiting_for = $7)
        and ${isHeldAsAsked('p.held_by', '$8')}
        and (p.created_at, p.merchant_id, p.invoice_id)
          < (coalesce($2, 'infinity'::timestamptz), coalesce($3, ''), coalesce($4, ''))
      order by p.created_at desc, p.merchant_id desc, p.invoice_id desc
      limit $5`,
  };
}

/** The payments with this id anywhere. */
const search = foundStatement('search_operator_payments', places, '$9');

/** @throws AppError invalid_request for a cursor of another list */
export async function listOperatorPayments(
  db: Queryable,
  input: OperatorListPayments,
): Promise<Page<PaymentSummary & { merchantId: string }>> {
  const page = pageValues(input);
  const rows =
    input.search === undefined
      ? await list(db, [...page, input.createdFrom, input.createdTo], input)
      : await find(db, [...page, ...filterValues(input), input.search], input.search);
  return operatorPage(rows, input.limit);
}

/** `$1` to `$5` of every list of payments: whose they are, after which one, and how many. */
export function pageValues({
  merchantIds,
  cursor,
  limit,
}: OperatorListPayments): readonly unknown[] {
  return [merchantIds, ...placeOf(cursor, 2), limit + 1];
}

/** `$6` to `$8` of a search. */
export function filterValues({
  status,
  waitingFor,
  heldBy,
}: OperatorListPayments): readonly unknown[] {
  return [status, waitingFor, heldBy];
}

export function operatorPage(
  rows: readonly PaymentRow[],
  limit: number,
): Page<PaymentSummary & { merchantId: string }> {
  return pageOf(rows, limit, {
    item: (row) => ({ merchantId: row.merchant_id, ...toPaymentSummary(row) }),
    keys: (row) => [row.created_at.toISOString(), row.merchant_id, row.invoice_id],
  });
}

async function find(
  db: Queryable,
  values: readonly unknown[],
  text: string,
): Promise<readonly PaymentRow[]> {
  const rows = await db.query<FoundRow>(search, values);
  return withoutMistaken(db, rows, (id) => id === text);
}

function list(
  db: Queryable,
  values: readonly unknown[],
  { status, ...filters }: Filters & Pick<OperatorListPayments, 'status'>,
): Promise<PaymentRow[]> {
  if (filters.waitingFor !== undefined || filters.heldBy !== undefined) {
    const filtered = listFiltered.get(nameOf(filters));
    invariant(filtered !== undefined, 'there is a statement for each wait and hold');
    return db.query<PaymentRow>(filtered, [...values, status]);
  }
  if (status === undefined) return db.query<PaymentRow>(listAll, values);
  return db.query<PaymentRow>(listByState, [...values, status]);
}
