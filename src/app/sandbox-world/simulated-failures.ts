import { addMs, hourMs } from '../../domain/clock.ts';
import { decimalNumber } from '../../domain/money.ts';
import type { PaymentEventBody, PaymentMethodUpdateBody } from '../../domain/payment-event.ts';
import { invoiceIdsOf } from '../../recovery/sandbox-batch.ts';
import { firstDecline } from '../../simulator/charge.ts';
import { drawPayer, type Payer } from '../../simulator/payer.ts';
import { buildWorld, type World } from '../../simulator/world.ts';
import { worldCardId } from './world-card.ts';

const currency = 'USD';

/** What the merchant of a batch reports: the failures at once, cards that were renewed at their time. */
export interface SimulatedReports {
  readonly failures: readonly PaymentEventBody[];
  readonly updates: readonly { readonly at: Date; readonly body: PaymentMethodUpdateBody }[];
}

/**
 * Reports of failed payments as a merchant would send them, of the payers of a simulated world
 * (docs/simulator.md), all failed at `at`. Each has a card of the sandbox PSP whose issuer answers
 * every later try as the world's does, hour by hour from the failure; a card that the network's
 * updater renews is reported so at that hour. What is not played: payers who pay by themselves, and
 * those who cancel. The same seed gives the same payers, whatever the batch.
 */
export function simulatedReports(input: {
  readonly batch: string;
  readonly count: number;
  readonly seed: number;
  readonly windowDays: number;
  readonly at: Date;
}): SimulatedReports {
  const { seed, windowDays: days, at } = input;
  const world = buildWorld({ seed, days });
  const payers = invoiceIdsOf(input).map((invoiceId, index) => {
    const payer = drawPayer(world, index);
    const methodId = worldCardId({ seed, days, index, failedAt: at }, invoiceId);
    return { payer, invoiceId, methodId };
  });
  return {
    failures: payers.map(({ payer, ...ids }) => reportOf(world, payer, { ...ids, at })),
    updates: payers.flatMap(({ payer, invoiceId, methodId }) => {
      const { cause, failedHour } = payer;
      const hours = cause.kind === 'lifecycle' ? cause.curedHour - failedHour : undefined;
      if (hours === undefined || hours > days * 24) return [];
      const body = {
        customer_id: customerOf(invoiceId),
        payment_method_id: methodId,
        reason: 'network_updated',
      } as const;
      return [{ at: addMs(at, hours * hourMs), body }];
    }),
  };
}

function customerOf(invoiceId: string): string {
  return `cus_of_${invoiceId}`;
}

function reportOf(
  world: World,
  payer: Payer,
  {
    invoiceId,
    methodId,
    at,
  }: { readonly invoiceId: string; readonly methodId: string; readonly at: Date },
): PaymentEventBody {
  const decline = firstDecline(world, payer);
  const { networkCode = '05' } = decline;
  const time = at.toISOString();
  return {
    customer: { id: customerOf(invoiceId) },
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
        payment_method_id: methodId,
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
