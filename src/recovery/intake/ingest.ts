import { addMs, type Clock, dayMs, earlierOf } from '../../domain/clock.ts';
import { invariant } from '../../domain/errors.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { minorFromDecimal } from '../../domain/money.ts';
import {
  isPaid,
  type PaymentEventBody,
  type PaymentMethodUpdateBody,
} from '../../domain/payment-event.ts';
import { present } from '../../domain/present.ts';
import { numberOf, partitionOf, type RequestId } from '../../domain/request-id.ts';
import type { Accept } from '../api.ts';
import type { Merchants, Wake } from '../engine/deps.ts';
import type { NewPayment, NewRequest, RequestLog } from '../intake-ports.ts';
import { type ReportedAddress, takeAddress } from '../messages/customer-address.ts';
import { debtReport } from './debt-report.ts';
import { firstDecline } from './first-decline.ts';
import { methodsAt } from './methods-at.ts';

export interface IngestDeps {
  readonly clock: Clock;
  readonly log: Pick<RequestLog, 'append'>;
  readonly merchants: Merchants;
  readonly wake: Pick<Wake, 'requests'>;
  /** Keeps where customers are written to. Absent: no report says it. */
  readonly keepAddress?: (address: ReportedAddress) => Promise<void>;
}

/**
 * Commits a billing event. A failed one makes the payment of its debt visible in the same commit; a
 * debt that is known already, by whichever name, keeps the payment it has.
 */
export async function acceptPayment(
  deps: IngestDeps,
  input: Accept<PaymentEventBody> & Pick<NewRequest, 'channel' | 'pspInvoiceId'>,
): Promise<RequestId> {
  const merchant = await deps.merchants.findMerchant(input.merchantId);
  invariant(merchant !== undefined, 'an authenticated merchant exists');
  const receivedAt = deps.clock.now();
  const { merchantId, uuid, channel = 'merchant', pspInvoiceId } = input;
  // Before the report is committed: what is in the log of reports is in clear.
  const { body, address } = takeAddress(input.body);
  if (address !== undefined && merchant.messagesOn === true) {
    const customerId = body.customer.id;
    await deps.keepAddress?.({ merchantId, customerId, ...address, at: receivedAt });
  }
  const by = { merchantId, channel, ...present({ pspInvoiceId }) };
  const failure = isPaid(body)
    ? undefined
    : { report: debtReport(by, body), payment: newPayment(body, merchant, receivedAt), receivedAt };
  return commit(deps, {
    ...by,
    uuid,
    kind: 'payment',
    body,
    receivedAt,
    ...present({ failure }),
  });
}

/** Commits a payment-method update; what it changes is applied right after. */
export async function acceptPaymentMethodUpdate(
  deps: IngestDeps,
  input: Accept<PaymentMethodUpdateBody>,
): Promise<RequestId> {
  return commit(deps, {
    merchantId: input.merchantId,
    uuid: input.uuid,
    kind: 'payment_method_update',
    body: input.body,
    receivedAt: deps.clock.now(),
  });
}

async function commit(deps: IngestDeps, request: NewRequest): Promise<RequestId> {
  await deps.log.append(request);
  deps.wake.requests();
  const { uuid, merchantId } = request;
  return { uuid, number: numberOf(uuid), partition: partitionOf(merchantId) };
}

/** The recovery that a failed event begins, from its first transaction: the one that failed first. */
function newPayment(body: PaymentEventBody, merchant: Merchant, receivedAt: Date): NewPayment {
  const [transaction] = body.transactions;
  invariant(transaction !== undefined, 'an event has a transaction');
  const amount = minorFromDecimal(transaction.amount, transaction.currency);
  invariant('amountMinor' in amount, 'an accepted amount is one of its currency');
  // A merchant's clock may run ahead; a window that begins in the future would hold retries back.
  const failedAt = earlierOf(new Date(transaction.psp_transaction_created_at), receivedAt);
  return {
    invoiceId: body.invoice.id,
    customerId: body.customer.id,
    subscriptionId: body.subscription.id,
    transactionId: transaction.id,
    originalPspTransactionId: transaction.psp_transaction_id,
    psp: transaction.psp,
    amountMinor: amount.amountMinor,
    currency: transaction.currency,
    paymentMethodIds: methodsAt(transaction.psp, body),
    firstDecline: firstDecline(transaction),
    failedAt,
    windowEndsAt: addMs(failedAt, merchant.policy.windowDays * dayMs),
    maxAttempts: merchant.policy.maxAttempts,
    ...present({ pspCustomerId: body.customer.psp_id, custom: body.custom }),
  };
}
