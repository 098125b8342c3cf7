import { type Facts, isForgotten } from '../facts.ts';

const finalStates = ['recovered', 'stopped', 'exhausted'];

/** Every acknowledged request was applied, or refused in words. */
export function everyRequestIsApplied({ record, dump }: Facts): readonly string[] {
  const rows = new Map(dump.requests.map((row) => [`${row.merchant_id} ${row.uuid}`, row]));
  const kept = record.requests.filter(({ atMs }) => !isForgotten(record, atMs));
  return kept.flatMap(({ merchantId, uuid, debtId }) => {
    const row = rows.get(`${merchantId} ${uuid}`);
    if (row === undefined) return [`the report ${uuid} of ${debtId} is lost`];
    const isDone = row.state === 'applied' || row.state === 'rejected' || isAside(row);
    return isDone && (isAside(row) || row.outcome !== null)
      ? []
      : [`the report ${uuid} of ${debtId} is ${row.state}`];
  });
}

/** Nothing is forgotten: what is open has work that is due, or a person sees it. */
export function nothingIsForgotten({ dump }: Facts): readonly string[] {
  return dump.payments
    .filter((row) => !finalStates.includes(row.state))
    .filter((row) => row.next_attempt_at === null && !isAside(row) && !isFrozen(row))
    .filter(
      (row) =>
        !dump.charges.some(
          (charge) =>
            charge.merchant_id === row.merchant_id &&
            charge.invoice_id === row.invoice_id &&
            charge.state === 'unknown' &&
            (charge.next_attempt_at !== null || isAside(charge)),
        ),
    )
    .map((row) => `the payment ${row.invoice_id} is ${row.state}, and nothing is due of it`);
}

/** Once nothing goes wrong any more, everything comes to its end. */
export function everythingSettles({ dump, debts, record }: Facts): readonly string[] {
  const open = dump.payments
    .filter((row) => !finalStates.includes(row.state) && !isAside(row) && !isFrozen(row))
    .map((row) => `the payment ${row.invoice_id} is still ${row.state}`);
  const unsettled = dump.charges
    .filter((row) => ['sending', 'unknown'].includes(row.state) && !isAside(row))
    .filter((row) => !dump.incidents.some(({ charge }) => charge === row.idempotency_key))
    .map((row) => `the charge ${row.idempotency_key} is still ${row.state}`);
  const undelivered = dump.deliveries
    .filter((row) => row.state === 'pending' && !isAside(row))
    .map((row) => `the event ${row.event_id} is still on its way`);
  const unknown = debts
    .filter(({ payments }) => payments.length === 0)
    .filter(({ debt }) => record.requests.some((request) => request.debtId === debt.debtId))
    .map(({ debt }) => `${debt.debtId} was reported, and has no payment`);
  return [...open, ...unsettled, ...undelivered, ...unknown];
}

function isAside(row: { readonly set_aside_at?: Date | null }): boolean {
  return row.set_aside_at !== undefined && row.set_aside_at !== null;
}

function isFrozen(row: { readonly frozen_at?: Date | null }): boolean {
  return row.frozen_at !== undefined && row.frozen_at !== null;
}
