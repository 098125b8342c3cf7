import { randomUUID } from 'node:crypto';
import type { ReportChannel } from '../../src/domain/debts/debt-names.ts';
import type { PaymentEventBody } from '../../src/domain/payment-event.ts';
import type { RequestId } from '../../src/domain/request-id.ts';
import { acceptPayment } from '../../src/recovery/intake/ingest.ts';
import { type EventOptions, failedEvent } from './billing-events.ts';
import type { EngineWorld } from './engine.ts';

export interface DebtEventOptions extends EventOptions {
  /** The PSP's id of the charge that failed. */
  readonly charge?: string;
  readonly subscriptionId?: string;
}

/** A report of a failed charge that has this id at the PSP. */
export function failedCharge({ charge, subscriptionId, ...more }: DebtEventOptions = {}) {
  const event = failedEvent(more);
  return {
    ...event,
    ...(subscriptionId !== undefined && {
      subscription: { ...event.subscription, id: subscriptionId },
    }),
    transactions: event.transactions.map((item) => ({
      ...item,
      ...(charge !== undefined && { psp_transaction_id: charge }),
    })),
  };
}

/** Ingests a report of either channel; a PSP's names the invoice that lives there. */
export function submitBy(
  world: EngineWorld,
  channel: ReportChannel,
  body: PaymentEventBody,
): Promise<RequestId> {
  const { merchantId, deps } = world;
  return acceptPayment(
    { ...deps, log: deps.requestLog },
    {
      merchantId,
      body,
      uuid: randomUUID(),
      channel,
      ...(channel === 'psp' && { pspInvoiceId: body.invoice.id }),
    },
  );
}
