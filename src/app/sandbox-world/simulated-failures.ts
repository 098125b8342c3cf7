import { addMs, hourMs, secondMs } from '../../domain/clock.ts';
import { decimalNumber } from '../../domain/money.ts';
import type { PaymentEventBody } from '../../domain/payment-event.ts';
import { firstDecline } from '../../simulator/charge.ts';
import { firstPassingHour } from '../../simulator/first-passing-hour.ts';
import { drawPayer, type Payer } from '../../simulator/payer.ts';
import { buildWorld, type World } from '../../simulator/world.ts';

const currency = 'USD';

/**
 * Reports of failed payments as a merchant would send them, of the payers of a simulated world
 * (docs/simulator.md), all failed at `at`. Each has a card of the sandbox PSP that behaves as the
 * payer's does: it declines with the payer's code until the cause is over. How long that lasts is
 * the world's; the issuers' whims after it, and cards that an account updater would renew, are not
 * played. The same seed gives the same payers, whatever the batch.
 */
export function simulatedFailures(input: {
  readonly batch: string;
  readonly count: number;
  readonly seed: number;
  readonly windowDays: number;
  readonly at: Date;
}): readonly PaymentEventBody[] {
  const world = buildWorld({ seed: input.seed, days: input.windowDays });
  return invoiceIdsOf(input).map((invoiceId, index) =>
    reportOf(world, drawPayer(world, index), { invoiceId, at: input.at }),
  );
}

/** The invoices of a batch. They tell of each batch how many there are at most. */
export function invoiceIdsOf({
  batch,
  count,
}: {
  readonly batch: string;
  readonly count: number;
}): readonly string[] {
  return Array.from({ length: count }, (_, index) => `inv_sim_${batch}_${index + 1}`);
}

function reportOf(
  world: World,
  payer: Payer,
  { invoiceId, at }: { readonly invoiceId: string; readonly at: Date },
): PaymentEventBody {
  const decline = firstDecline(world, payer);
  const { networkCode = '05', adviceCode } = decline;
  const time = at.toISOString();
  return {
    customer: { id: `cus_of_${invoiceId}` },
    subscription: { id: `sub_of_${invoiceId}`, start_date: time },
    invoice: { id: invoiceId, created_at: time },
    transactions: [
      {
        id: `txn_of_${invoiceId}`,
        psp_transaction_id: `ch_failed_${invoiceId}`,
        psp: 'sandbox',
        acquirer_country: 'US',
        issuer_country: 'US',
        amount: decimalNumber({ amountMinor: payer.amountMinor, currency }),
        currency,
        funding_source: payer.cardFunding,
        payment_method_id: cardOf(payer, { networkCode, adviceCode, invoiceId, at }),
        psp_transaction_created_at: time,
        scheme: payer.network,
        success: false,
        outcome: {
          raw_response_message: `${networkCode}: ${decline.category.replaceAll('_', ' ')}`,
          processor_response_code: networkCode,
        },
      },
    ],
    custom: { simulated: true },
  };
}

/** The sandbox's card that declines as the payer's does, and as long. */
function cardOf(
  payer: Payer,
  input: {
    readonly networkCode: string;
    readonly adviceCode: string | undefined;
    readonly invoiceId: string;
    readonly at: Date;
  },
): string {
  const { networkCode, adviceCode, invoiceId, at } = input;
  const advice = adviceCode === undefined ? '' : `_mac_${adviceCode}`;
  const hours = firstPassingHour(payer) - payer.failedHour;
  const endsAt = Number.isFinite(hours) ? addMs(at, hours * hourMs) : undefined;
  const until =
    endsAt === undefined ? '' : `_until_${Math.floor(endsAt.getTime() / secondMs).toString()}`;
  return `pm_sandbox_decline_${networkCode}${advice}${until}--${invoiceId}`;
}
