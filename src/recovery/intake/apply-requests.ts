import type { Clock } from '../../domain/clock.ts';
import type { DebtReport } from '../../domain/debts/debt-names.ts';
import type { JoinedReport } from '../../domain/debts/join-reports.ts';
import { invariant } from '../../domain/errors.ts';
import { minorFromDecimal } from '../../domain/money.ts';
import { keptAdvice } from '../../domain/network-rules/hard-declines.ts';
import type { JsonObject } from '../../domain/payment.ts';
import {
  isPaid,
  type PaymentEventBody,
  type PaymentMethodUpdateBody,
} from '../../domain/payment-event.ts';
import { present } from '../../domain/present.ts';
import { subscriptionCard } from '../card-notices/subscription-card.ts';
import type { Wake } from '../engine/deps.ts';
import type {
  Added,
  DueRequest,
  EndedDebt,
  ForeignAttempt,
  InvoiceKey,
  LearnedNames,
  MethodUpdate,
  NewTransaction,
  ReportedChanges,
  RequestLog,
  SeenMethod,
} from '../intake-ports.ts';
import { debtReport } from './debt-report.ts';
import { firstDecline, responseCode } from './first-decline.ts';
import { methodsAt } from './methods-at.ts';

export interface ApplyDeps {
  readonly clock: Clock;
  readonly log: Pick<RequestLog, 'findDebts' | 'mergeDebts' | 'add' | 'finish'>;
  /** Ends a recovery: paid elsewhere, nothing owed any more, or the card is disputed. */
  readonly endRecovery: (key: InvoiceKey, why: Omit<EndedDebt, keyof InvoiceKey>) => Promise<void>;
  readonly noteForeignAttempt: (attempt: ForeignAttempt) => void;
  readonly wake: Pick<Wake, 'payments'>;
}

/**
 * Applies a batch of logged requests: history, methods, and new plans of open payments. Each part may be
 * repeated without harm, so a crash in between costs nothing: the batch is applied again.
 */
export async function applyRequests(
  deps: ApplyDeps,
  requests: readonly DueRequest[],
): Promise<void> {
  const at = deps.clock.now();
  const events = await eventsOf(deps, requests, at);
  const added = await deps.log.add(additionsOf(requests, events, at));
  for (const attempt of added.foreign) deps.noteForeignAttempt(attempt);
  for (const { merchantId, invoiceId, ...why } of added.ended) {
    await deps.endRecovery({ merchantId, invoiceId }, why);
  }
  const bySequence = new Map(events.map((event) => [event.sequence, event]));
  const applied = requests.map((request) => ({
    merchantId: request.merchantId,
    sequence: request.sequence,
    outcome: outcomeOf(request, bySequence.get(request.sequence), added),
  }));
  await deps.log.finish(applied, at);
  if (added.started.length + added.replanned.length > 0) deps.wake.payments();
}

/** A billing event with the debt that it is of. */
interface Event extends DueRequest {
  readonly body: PaymentEventBody;
  readonly report: DebtReport;
  readonly debt: JoinedReport;
}

/** The billing events of a batch. Debts that one of them shows to be the same become one first. */
async function eventsOf(
  deps: ApplyDeps,
  requests: readonly DueRequest[],
  at: Date,
): Promise<readonly Event[]> {
  const events = requests
    .filter((request) => request.kind === 'payment')
    .map((request) => {
      const body = request.body as PaymentEventBody;
      return { ...request, body, report: debtReport(request, body) };
    });
  const reports = events.map((event) => event.report);
  let debts = await deps.log.findDebts(reports);
  const several = events.flatMap(({ merchantId, body }, index) => {
    const debt = debts[index];
    if (debt === undefined || debt.others.length === 0 || isPaid(body)) return [];
    return [{ merchantId, invoiceIds: [debt.invoiceId, ...debt.others] }];
  });
  for (const same of several) await deps.log.mergeDebts({ ...same, at });
  if (several.length > 0) {
    debts = await deps.log.findDebts(reports);
    deps.wake.payments();
  }
  return events.map((event, index) => {
    const debt = debts[index];
    invariant(debt !== undefined, 'each report is of a debt');
    return { ...event, debt };
  });
}

function additionsOf(
  requests: readonly DueRequest[],
  events: readonly Event[],
  at: Date,
): ReportedChanges {
  const key = ({ merchantId, debt }: Event): InvoiceKey => ({
    merchantId,
    invoiceId: debt.invoiceId,
  });
  const failed = events.filter((event) => !isPaid(event.body));
  const paid = events.filter((event) => isPaid(event.body));
  return {
    at,
    transactions: events.flatMap(transactionsOf),
    methods: events.flatMap((event) => methodsOf(event.merchantId, event.body)),
    cards: events
      .filter(({ channel }) => channel === 'merchant')
      .map(({ merchantId, body }) => subscriptionCard(merchantId, body)),
    updates: requests.flatMap(updatesOf),
    failed: failed.map(key),
    // A success is one of each debt that it names: none of them is to be charged again.
    paid: paid.flatMap((event) =>
      [event.debt.invoiceId, ...event.debt.others].map((invoiceId) => ({
        merchantId: event.merchantId,
        invoiceId,
        ...(invoiceId !== event.debt.invoiceId && { standsAt: event.debt.invoiceId }),
      })),
    ),
    reportedAs: events.map((event) => ({ ...key(event), reportedAs: event.body.invoice.id })),
    learned: failed.map(learnedNames),
  };
}

function learnedNames({ merchantId, body, report, debt, channel }: Event): LearnedNames {
  const [first] = body.transactions;
  invariant(first !== undefined, 'an event has a transaction');
  const { psp_id: pspCustomerId } = body.customer;
  const { pspInvoiceId, psp } = report;
  return {
    merchantId,
    invoiceId: debt.invoiceId,
    psp,
    // Under its own id an invoice keeps the methods that it began with.
    paymentMethodIds: debt.invoiceId === body.invoice.id ? [] : methodsAt(psp, body),
    ...present({ pspInvoiceId, pspCustomerId }),
    ...(channel === 'merchant' && {
      merchant: {
        invoiceId: body.invoice.id,
        customerId: body.customer.id,
        subscriptionId: body.subscription.id,
        transactionId: first.id,
        originalPspTransactionId: first.psp_transaction_id,
        ...present({ custom: body.custom }),
      },
    }),
  };
}

function transactionsOf(event: Event): readonly NewTransaction[] {
  const { merchantId, body, channel, receivedAt, debt } = event;
  return body.transactions.map((transaction) => {
    const amount = minorFromDecimal(transaction.amount, transaction.currency);
    invariant('amountMinor' in amount, 'an accepted amount is one of its currency');
    const { network_transaction_id: networkTransactionId, card_fingerprint: cardFingerprint } =
      transaction;
    const networkCode = responseCode(transaction);
    const adviceCode = transaction.success ? undefined : keptAdvice(firstDecline(transaction));
    return {
      merchantId,
      invoiceId: debt.invoiceId,
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
      detail: {
        ...detailOf(body, transaction),
        ...(channel === 'psp' && { reported_by: channel }),
      },
      ...present({ networkTransactionId, cardFingerprint, networkCode, adviceCode }),
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
    ...present({
      cardFingerprint: transaction.card_fingerprint,
      pspCustomerId: body.customer.psp_id,
      bin: transaction.bin,
      issuerCountry: transaction.issuer_country,
    }),
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
      channel: request.channel,
      ...present({ customerId: body.customer_id, pspCustomerId: body.psp_customer_id }),
    },
  ];
}

/** What a request did, for `GET /recover/requests/{request_id}`. */
function outcomeOf(request: DueRequest, event: Event | undefined, added: Added): JsonObject {
  const { merchantId } = request;
  if (event === undefined) {
    const { payment_method_id } = request.body as PaymentMethodUpdateBody;
    const invoiceIds = added.replanned
      .filter((key) => key.merchantId === merchantId && key.paymentMethodId === payment_method_id)
      .map((key) => key.invoiceId);
    return { result: 'payment_method_recorded', replanned_invoice_ids: invoiceIds };
  }
  const { debt, body } = event;
  const isIts = (key: InvoiceKey): boolean =>
    key.merchantId === merchantId && [debt.invoiceId, ...debt.others].includes(key.invoiceId);
  const isJoined = debt.invoiceId !== body.invoice.id;
  const invoice = {
    invoice_id: body.invoice.id,
    ...(isJoined && { joined_invoice_id: debt.invoiceId }),
  };
  if (added.ended.some(isIts)) return { ...invoice, result: 'recovery_ended' };
  if (isJoined && !isPaid(body)) return { ...invoice, result: 'joined' };
  if (added.started.some(isIts)) return { ...invoice, result: 'recovery_started' };
  return { ...invoice, result: 'history_recorded' };
}
