import { dayMs } from '../../../domain/clock.ts';
import type { LedgerCharge, WorldRecord } from '../../record.ts';
import {
  type DebtFacts,
  type Facts,
  isForgotten,
  isNamedBy,
  isOurs,
  isSuccess,
  type ReceivedEvent,
  told,
} from '../facts.ts';

/** An event that is not acknowledged is sent again for so long. */
const toldWithinMs = 7 * dayMs;

/** Every success at a PSP is recovered here, and its merchant was told of it once; or a person sees it. */
export function noSuccessLost({ debts, record }: Facts): readonly string[] {
  return debts.flatMap((debt) => {
    const { charges, payments, events, hasIncident } = debt;
    if (hasIncident || isSetAside(debt)) return [];
    return charges
      .filter((charge) => isOurs(charge) && isSuccess(charge))
      .filter((charge) => !isKnownToMerchant(charge, debt, record))
      .flatMap((charge) => {
        const told_ = events.filter(
          (event) =>
            event.isSuccess &&
            event.transactions.some(({ id, isSuccess: paid }) => paid && isNamedBy(charge, id)),
        );
        const isRecovered = payments.some((row) => row.state === 'recovered');
        const isToldOnce =
          told_.length === 1 || (told_.length === 0 && wasTold(charge, debt, record));
        return [
          ...(isRecovered ? [] : [`${told(charge)} succeeded, and its payment is not recovered`]),
          ...(isToldOnce
            ? []
            : [`${told(charge)} succeeded, and ${told_.length} events tell of it`]),
        ];
      });
  });
}

function isSetAside({ payments }: DebtFacts): boolean {
  return payments.some((row) => (row.set_aside_at ?? null) !== null);
}

/**
 * Told before its record was lost with the database, so that the merchant answered no when it was asked
 * again: then nobody asks the PSP any more.
 */
function isKnownToMerchant(charge: LedgerCharge, debt: DebtFacts, record: WorldRecord): boolean {
  return (
    isForgotten(record, charge.atMs) &&
    debt.payments.some((row) => row.stop_reason === 'merchant_declined_retry') &&
    isToldBefore(charge, debt, record)
  );
}

/** What is on record was told; that it was is not, and after so long nobody is told again. */
function wasTold(charge: LedgerCharge, debt: DebtFacts, record: WorldRecord): boolean {
  const isOver = record.restores.some(({ atMs }) => atMs - charge.atMs > toldWithinMs);
  return isOver && !isForgotten(record, charge.atMs) && isToldBefore(charge, debt, record);
}

/** In an event that arrived in the time that the database knows no more. */
function isToldBefore(
  { chargeId, key }: LedgerCharge,
  { debt }: DebtFacts,
  record: WorldRecord,
): boolean {
  return record.inbox.some(
    ({ merchantId, atMs, body }) =>
      merchantId === debt.merchantId &&
      isForgotten(record, atMs) &&
      (body.includes(`"${chargeId}"`) || body.includes(`"${key}"`)),
  );
}

/** Each charge that a PSP decided is in one event, as what it was. */
export function eachChargeIsTold({ debts, record }: Facts): readonly string[] {
  return debts.flatMap((debt) => {
    const { charges, events, hasIncident } = debt;
    return charges.filter(isOurs).flatMap((charge) => {
      const naming = events.flatMap(({ transactions }) =>
        transactions.filter(({ id }) => isNamedBy(charge, id)),
      );
      if (naming.some((named) => named.isSuccess !== isSuccess(charge))) {
        return [`${told(charge)} ${charge.state}, and an event says otherwise`];
      }
      if (naming.length === 1 || hasIncident) return [];
      // A success of the attempt that came to light later is told with all of its charges.
      if (naming.length > 1 && isToldAgain(charge, events)) return [];
      // A decline that was told before its record was lost need not be told again.
      const isKnownBefore = isForgotten(record, charge.atMs)
        ? !isSuccess(charge) || isKnownToMerchant(charge, debt, record) || isSetAside(debt)
        : wasTold(charge, debt, record);
      if (naming.length === 0 && isKnownBefore) return [];
      return [`${told(charge)} ${charge.state}, and is in ${naming.length} events`];
    });
  });
}

function isToldAgain(charge: LedgerCharge, events: readonly ReceivedEvent[]): boolean {
  const [, ...later] = events.filter(({ transactions }) =>
    transactions.some(({ id }) => isNamedBy(charge, id)),
  );
  const tellsOther = ({ transactions }: ReceivedEvent) =>
    transactions.some(({ id, isSuccess: paid }) => paid && !isNamedBy(charge, id));
  return later.every(tellsOther);
}

/** A definite answer is recorded by the process that it reached. */
export function noAnswerThrownAway({ record, debts }: Facts): readonly string[] {
  const isSeen = (charge: LedgerCharge) =>
    debts.some(({ debt, hasIncident }) => debt.debtId === charge.debtId && hasIncident);
  return record.answers.flatMap(({ psp, key, atMs, recorded }) => {
    // A PSP that has forgotten the key of a decline may have charged under it again.
    const charge = record.charges.findLast(
      (made) => made.psp === psp && made.key === key && isOurs(made) && made.atMs <= atMs,
    );
    if (charge === undefined || recorded.includes(charge.state) || isSeen(charge)) return [];
    return [`${told(charge)} ${charge.state}, was answered, and is [${recorded}]`];
  });
}

/** No event tells of a success that no PSP has. */
export function noSuccessInvented({ record, events, debts, dump }: Facts): readonly string[] {
  const paid = record.charges.filter((charge) => isSuccess(charge));
  const invented = events
    .flatMap((event) => event.transactions.filter((transaction) => transaction.isSuccess))
    .filter(({ id }) => !paid.some((charge) => isNamedBy(charge, id)))
    .map(({ id }) => `an event tells of the success ${id}, which no PSP has`);
  const recovered = debts
    .filter(
      ({ charges, payments }) =>
        payments.some((row) => row.state === 'recovered') &&
        !charges.some((charge) => isOurs(charge) && isSuccess(charge)),
    )
    .map(({ debt }) => `${debt.debtId} is recovered, and no charge of ours succeeded`);
  const unknown = dump.payments
    .filter((row) => !debts.some(({ payments }) => payments.includes(row)))
    .map((row) => `the payment ${row.invoice_id} is of no debt`);
  return [...invented, ...recovered, ...unknown];
}

/** Each attempt that reached a PSP has one event. */
export function oneEventForEachAttempt({ dump }: Facts): readonly string[] {
  const reached = new Set(
    dump.charges
      .filter((row) => row.state === 'succeeded' || row.state === 'declined')
      .map((row) => `${row.merchant_id} ${row.attempt_id}`),
  );
  const counts = new Map<string, number>();
  for (const row of dump.events) {
    if (row.type !== 'retry_result' || row.is_late) continue;
    const name = `${row.merchant_id} ${row.attempt_id}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const open = new Set(
    dump.attempts
      .filter((row) => ['checking', 'charging', 'unknown'].includes(row.state))
      .map((row) => `${row.merchant_id} ${row.attempt_id}`),
  );
  return [...new Set([...reached, ...counts.keys()])]
    .filter((name) => !open.has(name))
    .filter((name) => counts.get(name) !== 1 || !reached.has(name))
    .map((name) => `the attempt ${name} has ${counts.get(name) ?? 0} events`);
}

/** What a merchant reads is signed, and the same each time that it is sent. */
export function eventsAreSound({ record }: Facts): readonly string[] {
  const bodies = new Map<string, string>();
  return record.inbox.flatMap((item) => {
    const name = `${item.merchantId} ${item.dedupId}`;
    const before = bodies.get(name) ?? item.body;
    bodies.set(name, before);
    return [
      ...(item.isSigned ? [] : [`the webhook ${item.dedupId} is not signed`]),
      ...(before === item.body ? [] : [`the webhook ${item.dedupId} came with two bodies`]),
    ];
  });
}
