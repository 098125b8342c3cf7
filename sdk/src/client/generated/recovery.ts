// Generated from openapi/recovery.json by npm run generate; do not edit.
import type { CallOptions } from '../call-options.ts';
import type { OperationTable } from '../operation.ts';
import type { Receipt, ReportPaymentBody, ReportPaymentMethodUpdateBody, ShowRequestAnswer } from './recovery/intake.ts';
import type { ListPaymentsAnswer, ListPaymentsQuery, Payment, PaymentSummary, RetryPaymentAnswer, RetryPaymentBody, StopPaymentAnswer, StopPaymentBody } from './recovery/payments.ts';
import type { CustomerLink, NoteCustomerOutcomeAnswer, NoteCustomerOutcomeBody, NoteCustomerVisitBody, NoteMessageBounceAnswer, NoteMessageBounceBody } from './recovery/customers.ts';
import type { Event, ListEventsAnswer, ListEventsQuery, RedeliverEventAnswer, RedeliverEventBody } from './recovery/events.ts';
import type { ListStatementsAnswer, ListStatementsQuery, Statement } from './recovery/statements.ts';
import type { CreatePortalLinkBody, PortalLink, RevokePortalLinksAnswer, RevokePortalLinksBody } from './recovery/portal.ts';

export type * from './recovery/intake.ts';
export type * from './recovery/payments.ts';
export type * from './recovery/customers.ts';
export type * from './recovery/events.ts';
export type * from './recovery/statements.ts';
export type * from './recovery/portal.ts';

/** Every operation of the recovery API. */
export interface RecoveryOperations {
  /** Report a payment method update. Send every payment method that a customer or a network added, removed or updated. An added or updated one pulls the next retry of that customer forward; a removed one is not tried again. At least one of customer_id and psp_customer_id has to be given. Needs a key with the scope `intake`. */
  reportPaymentMethodUpdate(body: ReportPaymentMethodUpdateBody, options?: CallOptions): Promise<Receipt>;

  /** Report a billing attempt. Send one event for each billing attempt, failed or successful. A failed one starts the recovery of its invoice. A successful one ends it, and is history that retries learn from. Needs a key with the scope `intake`. */
  reportPayment(body: ReportPaymentBody, options?: CallOptions): Promise<Receipt>;

  /** List payments. Payments under recovery and those that ended, by status, customer and time. `waiting_for=customer` are those that no retry can save: they wait for a new or updated payment method. Needs a key with the scope `read`. */
  listPayments(query?: ListPaymentsQuery, options?: CallOptions): Promise<ListPaymentsAnswer>;

  /** Every item of `listPayments`, page after page. */
  iteratePayments(query?: ListPaymentsQuery, options?: CallOptions): AsyncGenerator<PaymentSummary>;

  /** Show a submitted request. What became of a request, by the request_id of its acknowledgement. Needs a key with the scope `read`. */
  showRequest(requestId: string, options?: CallOptions): Promise<ShowRequestAnswer>;

  /** Get payment information. The payment of an invoice: its status, the next try, and every try so far with the decision behind it, the PSP's transactions and the deliveries of its webhooks. Needs a key with the scope `read`. */
  showPayment(invoiceId: string, options?: CallOptions): Promise<Payment>;

  /** Retry a payment at a time of your choice. Tries the payment now or at retry_at. The network's rules, the window, the budget of tries and the final check at your server hold as for every retry. Needs a key with the scope `act`. */
  retryPayment(invoiceId: string, body?: RetryPaymentBody, options?: CallOptions): Promise<RetryPaymentAnswer>;

  /** Stop the recovery of a payment. Ends the recovery. Nothing is charged after the stop was acknowledged with 200. Needs a key with the scope `act`. */
  stopPayment(invoiceId: string, body?: StopPaymentBody, options?: CallOptions): Promise<StopPaymentAnswer>;

  /** Look up which payment a customer came for. Your page is opened with a token in its address. Your server learns here which payment or card it names, and whether there is still something to mend. Needs a key with the scope `read`. */
  showCustomerLink(token: string, options?: CallOptions): Promise<CustomerLink>;

  /** Tell that a customer opened your page. It stands in the payment's timeline. The payment, or the card, stays as it is. Needs a key with the scope `intake`. */
  noteCustomerVisit(token: string, body?: NoteCustomerVisitBody, options?: CallOptions): Promise<CustomerLink>;

  /** Tell what a customer did on your page. A method that was added or mended, an authentication, or a call to the bank is taken as a payment method update is: the payment is planned again at once. No such update need be sent beside it. Needs a key with the scope `intake`. */
  noteCustomerOutcome(token: string, body: NoteCustomerOutcomeBody, options?: CallOptions): Promise<NoteCustomerOutcomeAnswer>;

  /** Tell that a message to a customer came back. For what a mail server learns after it took a message: that it cannot be delivered, or that the customer complained. Nothing more is sent to the address. Needs a key with the scope `intake`. */
  noteMessageBounce(body: NoteMessageBounceBody, options?: CallOptions): Promise<NoteMessageBounceAnswer>;

  /** List events in their order. Every event that was or will be sent to your webhook, for pulling. To ask for what is new, send the sequence of the last event that you have as cursor. The log begins after the events of payments that ended long ago: those are shown with their payment. Needs a key with the scope `read`. */
  listEvents(query?: ListEventsQuery, options?: CallOptions): Promise<ListEventsAnswer>;

  /** Every item of `listEvents`, page after page. */
  iterateEvents(query?: ListEventsQuery, options?: CallOptions): AsyncGenerator<Event>;

  /** Send an event again. Sends the event to your webhook at once, with the same body and deduplication id, and as often as a new one if that fails. Needs a key with the scope `act`. */
  redeliverEvent(id: string, body?: RedeliverEventBody, options?: CallOptions): Promise<RedeliverEventAnswer>;

  /** List statements in the order of their days. Every daily statement, whole, so that a page can be verified as it is. To ask for what is new, send the day of the last statement that you have as cursor. Needs a key with the scope `read`. */
  listStatements(query?: ListStatementsQuery, options?: CallOptions): Promise<ListStatementsAnswer>;

  /** Every item of `listStatements`, page after page. */
  iterateStatements(query?: ListStatementsQuery, options?: CallOptions): AsyncGenerator<Statement>;

  /** Get a day's statement. What happened on a UTC day, made within hours of its end and never changed. Each carries the hash of the one before, so that a change of any of them shows. The answer is canonical JSON. Needs a key with the scope `read`. */
  showStatement(day: string, options?: CallOptions): Promise<Statement>;

  /** Create a link to your portal. Whoever opens it reads what is yours, and changes nothing: money, payments, webhooks, disputes. Make one for each visit, for the person whom your own page has let in. It ends by its time, when all links are revoked, and with the API key that asked for it. Needs a key with the scope `read`. */
  createPortalLink(body?: CreatePortalLinkBody, options?: CallOptions): Promise<PortalLink>;

  /** Revoke all links to your portal. At once, with the sessions that they opened, whoever made them. Who came with an API key stays until that is revoked. Needs a key with the scope `act`. */
  revokePortalLinks(body?: RevokePortalLinksBody, options?: CallOptions): Promise<RevokePortalLinksAnswer>;
}

export const recoveryOperations = {
  reportPaymentMethodUpdate: { method: 'POST', path: '/recover/payment_method_updates', pathNames: [], hasBody: true, hasQuery: false, hasKey: true, isRepeatable: true, form: 'json' },
  reportPayment: { method: 'POST', path: '/recover/payments', pathNames: [], hasBody: true, hasQuery: false, hasKey: true, isRepeatable: true, form: 'json' },
  listPayments: { method: 'GET', path: '/recover/payments', pathNames: [], hasBody: false, hasQuery: true, hasKey: false, isRepeatable: true, form: 'json' },
  iteratePayments: { method: 'GET', path: '/recover/payments', pathNames: [], hasBody: false, hasQuery: true, hasKey: false, isRepeatable: true, form: 'json', pages: 'payments' },
  showRequest: { method: 'GET', path: '/recover/requests/{request_id}', pathNames: ['request_id'], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  showPayment: { method: 'GET', path: '/recover/payments/{invoice_id}', pathNames: ['invoice_id'], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  retryPayment: { method: 'POST', path: '/recover/payments/{invoice_id}/retry', pathNames: ['invoice_id'], hasBody: true, hasQuery: false, hasKey: true, isRepeatable: true, form: 'json' },
  stopPayment: { method: 'POST', path: '/recover/payments/{invoice_id}/stop', pathNames: ['invoice_id'], hasBody: true, hasQuery: false, hasKey: true, isRepeatable: true, form: 'json' },
  showCustomerLink: { method: 'GET', path: '/recover/customer_links/{token}', pathNames: ['token'], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  noteCustomerVisit: { method: 'POST', path: '/recover/customer_links/{token}/visits', pathNames: ['token'], hasBody: true, hasQuery: false, hasKey: true, isRepeatable: true, form: 'json' },
  noteCustomerOutcome: { method: 'POST', path: '/recover/customer_links/{token}/outcomes', pathNames: ['token'], hasBody: true, hasQuery: false, hasKey: true, isRepeatable: true, form: 'json' },
  noteMessageBounce: { method: 'POST', path: '/recover/message_bounces', pathNames: [], hasBody: true, hasQuery: false, hasKey: true, isRepeatable: true, form: 'json' },
  listEvents: { method: 'GET', path: '/recover/events', pathNames: [], hasBody: false, hasQuery: true, hasKey: false, isRepeatable: true, form: 'json' },
  iterateEvents: { method: 'GET', path: '/recover/events', pathNames: [], hasBody: false, hasQuery: true, hasKey: false, isRepeatable: true, form: 'json', pages: 'events' },
  redeliverEvent: { method: 'POST', path: '/recover/events/{id}/redeliver', pathNames: ['id'], hasBody: true, hasQuery: false, hasKey: true, isRepeatable: true, form: 'json' },
  listStatements: { method: 'GET', path: '/recover/statements', pathNames: [], hasBody: false, hasQuery: true, hasKey: false, isRepeatable: true, form: 'json' },
  iterateStatements: { method: 'GET', path: '/recover/statements', pathNames: [], hasBody: false, hasQuery: true, hasKey: false, isRepeatable: true, form: 'json', pages: 'statements' },
  showStatement: { method: 'GET', path: '/recover/statements/{day}', pathNames: ['day'], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  createPortalLink: { method: 'POST', path: '/recover/portal_links', pathNames: [], hasBody: true, hasQuery: false, hasKey: true, isRepeatable: true, form: 'json' },
  revokePortalLinks: { method: 'DELETE', path: '/recover/portal_links', pathNames: [], hasBody: true, hasQuery: false, hasKey: true, isRepeatable: true, form: 'json' },
} satisfies OperationTable;
