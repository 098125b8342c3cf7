import type { Clock } from '../../domain/clock.ts';
import { invariant } from '../../domain/errors.ts';
import { minorFromDecimal } from '../../domain/money.ts';
import type { JsonObject } from '../../domain/payment.ts';
import {
  isPaid,
  type PaymentEventBody,
  type PaymentMethodUpdateBody,
} from '../../domain/payment-event.ts';
import type { Wake } from '../engine/deps.ts';
import type {
  Added,
  Additions,
  DueRequest,
  ForeignAttempt,
  InvoiceKey,
  MethodUpdate,
  NewTransaction,
  RequestLog,
  SeenMethod,
} from '../intake-ports.ts';
import { responseCode } from './first-decline.ts';

export interface ApplyDeps {
  readonly clock: Clock;
  readonly log: Pick<RequestLog, 'add' | 'finish'>;
  /** Ends a recovery: paid elsewhere, nothing owed any more, or the card is disputed. */
  readonly endRecovery: (
    key: InvoiceKey,
    why: {
      readonly reason: 'recovered_elsewhere' | 'invoice_closed' | 'disputed';
      readonly detail?: string;
    },
  ) => Promise<void>;
  readonly noteForeignAttempt: (attempt: ForeignAttempt) => void;
  readonly wake: Pick<Wake, 'payments'>;
}

/**
 * Applies a batch of logged requests: history, methods, signals to open payments. Each part may be
 * repeated without harm, so a crash in between costs nothing: the batch is applied again.
 */
export async function applyRequests(
  deps: ApplyDeps,
  requests: readonly DueRequest[],
): Promise<void> {
  const at = deps.clock.now();
  const added = await deps.log.add(additionsOf(requests, at));
  for (const attempt of added.foreign) deps.noteForeignAttempt(attempt);
  for (const key of added.paidElsewhere) {
    await deps.endRecovery(key, { reason: 'recovered_elsewhere' });
  }
  for (const { detail, ...key } of added.closed) {
    await deps.endRecovery(key, { reason: 'invoice_closed', detail });
  }
  for (const key of added.disputed) await deps.endRecovery(key, { reason: 'disputed' });
  const applied = requests.map((request) => ({
    merchantId: request.merchantId,
    sequence: request.sequence,
    outcome: outcomeOf(request, added),
  }));
  await deps.log.finish(applied, at);
  if (added.started.length + added.replanned.length > 0) deps.wake.payments();
}

function additionsOf(requests: readonly DueRequest[], at: Date): Additions {
  const payments = requests.filter((request) => request.kind === 'payment');
  const events = payments.map((request) => ({
    ...request,
    body: request.body as PaymentEventBody,
  }));
  const key = (event: (typeof events)[number]): InvoiceKey => ({
    merchantId: event.merchantId,
    invoiceId: event.body.invoice.id,
  });
  return {
    at,
    transactions: events.flatMap(transactionsOf),
    methods: events.flatMap((event) => methodsOf(event.merchantId, event.body)),
    updates: requests.flatMap(updatesOf),
    failed: events.filter((event) => !isPaid(event.body)).map(key),
    paid: events.filter((event) => isPaid(event.body)).map(key),
  };
}

function transactionsOf(event: {
  readonly merchantId: string;
  readonly body: PaymentEventBody;
  readonly receivedAt: Date;
}): readonly NewTransaction[] {
  const { merchantId, body, receivedAt } = event;
  return body.transactions.map((transaction) => {
    const amount = minorFromDecimal(transaction.amount, transaction.currency);
    invariant('amountMinor' in amount, 'an accepted amount is one of its currency');
    const { network_transaction_id: networkTransactionId } = transaction;
    const networkCode = responseCode(transaction.psp, transaction.outcome);
    return {
      merchantId,
      invoiceId: body.invoice.id,
      transactionId: transaction.id,
      pspTransactionId: transaction.psp_transaction_id,
      psp: transaction.psp,
      customerId: body.customer.id,
      subscriptionId: body.subscription.id,
      paymentMethodId: transaction.payment_method_id,
      amountMinor: amount.amountMinor,
      currency: transaction.currency,
      success: transaction.success,
      occurredAt: new Date(transaction.psp_transaction_created_at),
      receivedAt,
      detail: detailOf(body, transaction),
      ...(networkTransactionId === undefined ? {} : { networkTransactionId }),
      ...(networkCode === undefined ? {} : { networkCode }),
    };
  });
}

/** The report's fields that policies learn from; postal codes are personal and are not kept. */
function detailOf(
  body: PaymentEventBody,
  transaction: PaymentEventBody['transactions'][number],
): Readonly<Record<string, unknown>> {
  const { scheme, funding_source, outcome, bin, issuer_country, acquirer_country } = transaction;
  return {
    scheme: scheme.toLowerCase(),
    funding_source: funding_source.toLowerCase(),
    outcome,
    bin,
    issuer_country,
    acquirer_country,
    mid: transaction.mid,
    reporting_group: transaction.reporting_group,
    captured: transaction.captured,
    refunded: transaction.refunded,
    subscription: body.subscription,
    invoice_created_at: body.invoice.created_at,
    customer_created_at: body.customer.created_at,
  };
}

function methodsOf(merchantId: string, body: PaymentEventBody): readonly SeenMethod[] {
  return body.transactions.map((transaction) => ({
    merchantId,
    paymentMethodId: transaction.payment_method_id,
    customerId: body.customer.id,
    psp: transaction.psp,
    scheme: transaction.scheme.toLowerCase(),
    fundingSource: transaction.funding_source.toLowerCase(),
    acquirerCountry: transaction.acquirer_country,
    seenAt: new Date(transaction.psp_transaction_created_at),
    ...(transaction.card_fingerprint === undefined
      ? {}
      : { cardFingerprint: transaction.card_fingerprint }),
    ...(body.customer.psp_id === undefined ? {} : { pspCustomerId: body.customer.psp_id }),
    ...(transaction.bin === undefined ? {} : { bin: transaction.bin }),
    ...(transaction.issuer_country === undefined
      ? {}
      : { issuerCountry: transaction.issuer_country }),
  }));
}

function updatesOf(request: DueRequest): readonly MethodUpdate[] {
  if (request.kind !== 'payment_method_update') return [];
  const body = request.body as PaymentMethodUpdateBody;
  return [
    {
      merchantId: request.merchantId,
      paymentMethodId: body.payment_method_id,
      // Merchants that give no reason report that something changed: the method may now work.
      reason: body.reason ?? 'user_updated',
      sequence: request.sequence,
      ...(body.customer_id === undefined ? {} : { customerId: body.customer_id }),
      ...(body.psp_customer_id === undefined ? {} : { pspCustomerId: body.psp_customer_id }),
    },
  ];
}

/** What a request did, for `GET /recover/requests/{request_id}`. */
function outcomeOf(request: DueRequest, added: Added): JsonObject {
  const { merchantId } = request;
  if (request.kind === 'payment_method_update') {
    const { payment_method_id } = request.body as PaymentMethodUpdateBody;
    const invoiceIds = added.replanned
      .filter((key) => key.merchantId === merchantId && key.paymentMethodId === payment_method_id)
      .map((key) => key.invoiceId);
    return { result: 'payment_method_recorded', replanned_invoice_ids: invoiceIds };
  }
  const body = request.body as PaymentEventBody;
  const isIts = (key: InvoiceKey): boolean =>
    key.merchantId === merchantId && key.invoiceId === body.invoice.id;
  const invoice = { invoice_id: body.invoice.id };
  if ([...added.paidElsewhere, ...added.closed, ...added.disputed].some(isIts))
    return { ...invoice, result: 'recovery_ended' };
  if (added.started.some(isIts)) return { ...invoice, result: 'recovery_started' };
  return { ...invoice, result: 'history_recorded' };
}
