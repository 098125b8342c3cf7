import { minuteMs } from '../../../domain/clock.ts';
import type { LedgerCharge } from '../../record.ts';
import { type DebtFacts, type Facts, isForgotten, isOurs, isSuccess, told } from '../facts.ts';

/** A yes allows charges for five minutes; a call and its way to the PSP take their time too. */
const maxYesAgeMs = 6 * minuteMs;
/** A charge may be on its way already when a merchant's report is ingested. */
const underWayMs = 10 * minuteMs;

/**
 * Never two successes of ours for one debt, and never more than it in all: where ours paid a part of an
 * invoice that lives at its PSP, the PSP itself collects the rest.
 */
export function neverTwice({ debts }: Facts): readonly string[] {
  return debts.flatMap(({ debt, charges }) => {
    const paid = charges.filter((charge) => isSuccess(charge) && charge.origin !== 'foreign');
    const ours = paid.filter(isOurs);
    const paidMinor = paid.reduce((sum, charge) => sum + charge.amountMinor, 0);
    if (ours.length < 2 && paidMinor <= debt.owedMinor) return [];
    return [
      `${debt.debtId} of ${debt.owedMinor} was paid ${paid.length} times, ${paidMinor}: ` +
        paid.map(told).join(', '),
    ];
  });
}

/** Nothing is charged of a debt once its merchant has said that it is paid elsewhere. */
export function neverAfterPaidElsewhere({ debts, record }: Facts): readonly string[] {
  return debts.flatMap(({ debt, charges }) => {
    const foreign = charges.find((charge) => charge.origin === 'foreign');
    const known = record.requests.find(
      (request) =>
        request.debtId === debt.debtId &&
        request.atMs > (foreign?.atMs ?? Infinity) &&
        !isForgotten(record, request.atMs),
    );
    if (known === undefined) return [];
    return charges
      .filter((charge) => isOurs(charge) && charge.sentMs > known.atMs + underWayMs)
      .map((charge) => `${told(charge)} was sent after the report that it was paid`);
  });
}

/** No charge without a fresh yes of the merchant to this amount with this method. */
export function neverWithoutYes({ debts, record }: Facts): readonly string[] {
  return debts.flatMap(({ debt, charges }) =>
    charges
      .filter(isOurs)
      .filter(
        (charge) =>
          !record.yeses.some(
            (yes) =>
              yes.merchantId === debt.merchantId &&
              debt.invoiceIds.includes(yes.invoiceId) &&
              yes.atMs <= charge.sentMs &&
              charge.sentMs - yes.atMs <= maxYesAgeMs &&
              charge.amountMinor <= yes.amountMinor &&
              (yes.methodIds.length === 0 || yes.methodIds.includes(charge.methodId)),
          ),
      )
      .map((charge) => `${told(charge)} was sent without a fresh yes`),
  );
}

export function neverMoreThanOwed({ debts }: Facts): readonly string[] {
  return debts.flatMap(({ debt, charges }) =>
    charges
      .filter((charge) => isOurs(charge))
      .filter(
        ({ amountMinor, currency }) => amountMinor > debt.owedMinor || currency !== debt.currency,
      )
      .map((charge) => `${told(charge)} is more than the ${debt.owedMinor} owed`),
  );
}

/** After an acknowledged stop nothing is sent. */
export function stopIsStop({ debts, record }: Facts): readonly string[] {
  const kept = record.stops.filter(({ atMs }) => !isForgotten(record, atMs));
  return kept.flatMap((stop) =>
    chargesOf(debts, stop)
      .filter((charge) => isOurs(charge) && charge.sentMs > stop.atMs)
      .map((charge) => `${told(charge)} was sent after the stop`),
  );
}

function chargesOf(
  debts: readonly DebtFacts[],
  of: { readonly merchantId: string; readonly invoiceId: string },
): readonly LedgerCharge[] {
  return debts
    .filter(
      ({ debt }) => debt.merchantId === of.merchantId && debt.invoiceIds.includes(of.invoiceId),
    )
    .flatMap(({ charges }) => charges);
}
