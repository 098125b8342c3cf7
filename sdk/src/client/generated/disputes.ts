// Generated from openapi/disputes.json by npm run generate; do not edit.
import type { CallOptions } from '../call-options.ts';
import type { OperationTable } from '../operation.ts';
import type { AnalyticsRecord, CreateAnalyticsAnswer, ShowAnalyticsAnswer } from './disputes/analytics.ts';
import type { EraseCustomerAnswer } from './disputes/customers.ts';
import type { ConfirmMatchAnswer, ConfirmMatchBody, Dispute, DisputeAcceptance, DisputeSummary, ListDisputesAnswer, ListDisputesQuery, LookUpOrderAnswer, LookUpOrderBody, ReportDisputeAnswer, ReportDisputeBody, Submission, SubmitDisputeBody } from './disputes/disputes.ts';
import type { AddAttachmentQuery, Attachment, Attachments, Evidence, RemoveAttachmentAnswer, StateEvidenceAnswer, StateEvidenceBody } from './disputes/evidence.ts';
import type { PingAnswer } from './disputes/service.ts';

export type * from './disputes/analytics.ts';
export type * from './disputes/customers.ts';
export type * from './disputes/disputes.ts';
export type * from './disputes/evidence.ts';
export type * from './disputes/service.ts';

/** Every operation of the disputes API. */
export interface DisputesOperations {
  /** Submit what a checkout captured. The answer means that it is durable. The same content again has the same id, and changes nothing. `/v1/analytics` without the slash is the same. Needs a key with the scope `intake`. */
  createAnalytics(body: AnalyticsRecord, options?: CallOptions): Promise<CreateAnalyticsAnswer>;

  /** Show what was kept. The names of the fields that are kept, what it lacks to be evidence, and the payments and disputes that it belongs to, with the reasons. Needs a key with the scope `read`. */
  showAnalytics(id: string, options?: CallOptions): Promise<ShowAnalyticsAnswer>;

  /** Erase a customer. Destroys the key that opens the analytics records of the customer, the indexes that find them and the ids in them; analytics records without a customer id that carry their e-mail address are theirs too, and so are rebuttals and attachments of their disputes that have ended. A repetition answers the same. Needs a key with the scope `act`. */
  eraseCustomer(customerId: string, options?: CallOptions): Promise<EraseCustomerAnswer>;

  /** Report a dispute. For PSPs whose webhooks do not come here. The answer means that it is durable, and that the open retries of its card are stopped. Each report of the same dispute updates it. Needs a key with the scope `intake`. */
  reportDispute(body: ReportDisputeBody, options?: CallOptions): Promise<ReportDisputeAnswer>;

  /** List disputes and fraud warnings. The newest first. Needs a key with the scope `read`. */
  listDisputes(query?: ListDisputesQuery, options?: CallOptions): Promise<ListDisputesAnswer>;

  /** Every item of `listDisputes`, page after page. */
  iterateDisputes(query?: ListDisputesQuery, options?: CallOptions): AsyncGenerator<DisputeSummary>;

  /** Show a dispute. Its state, deadline and history, the analytics records that match it with reasons, the verdict on it and the answer that it was given. Needs a key with the scope `read`. */
  showDispute(id: string, options?: CallOptions): Promise<Dispute>;

  /** Show a dispute's evidence. JSON, or with `Accept: application/pdf` a document for people. The same facts give the same bytes; the ETag holds the content hash. Opening the analytics records for it is noted in the audit log. Needs a key with the scope `read`. */
  showEvidence(id: string, options?: CallOptions): Promise<Evidence>;

  /** Add to a dispute's evidence. What only you know of its charges. It replaces what you stated before, but for the rebuttal, which stays as it is where none is given. Name no person outside of the rebuttal, which is sealed: what identifies customers belongs in analytics records. Needs a key with the scope `act`. */
  stateEvidence(id: string, body: StateEvidenceBody, options?: CallOptions): Promise<StateEvidenceAnswer>;

  /** Add a file to a dispute's evidence. The body is the file: a PDF, a PNG or a JPEG, which its bytes have to be. `Content-Disposition` may name it. It is sealed, is part of the packet by its SHA-256, and goes to the PSP with the answer. The same bytes again are the same attachment. Needs a key with the scope `act`. */
  addAttachment(id: string, body: Uint8Array, query: AddAttachmentQuery, options?: CallOptions): Promise<Attachment>;

  /** List the files of a dispute's evidence. Each with where it goes at the PSP, or why it does not go there. Needs a key with the scope `read`. */
  listAttachments(id: string, options?: CallOptions): Promise<Attachments>;

  /** Read a file of a dispute's evidence. Exactly as it was uploaded, as a download. Reading it is noted in the audit log. Needs a key with the scope `read`. */
  showAttachment(id: string, attachmentId: string, options?: CallOptions): Promise<ArrayBuffer>;

  /** Remove a file from a dispute's evidence. Possible until it is sent with the evidence; after that it stays, as the record of what was sent. Needs a key with the scope `act`. */
  removeAttachment(id: string, attachmentId: string, options?: CallOptions): Promise<RemoveAttachmentAnswer>;

  /** Answer a dispute at its PSP. The evidence is staged at the PSP, then sent on: once for each stage of the dispute. A repetition answers the same submission. Where the PSP's answer is lost, its record says what became of it, and nothing is sent blindly. Needs a key with the scope `act`. */
  submitDispute(id: string, body?: SubmitDisputeBody, options?: CallOptions): Promise<Submission>;

  /** Accept a dispute at its PSP. The dispute is not contested: what is disputed is given away, for good, and its status becomes `accepted`. Once for each stage of the dispute, and only where no evidence was submitted; a repetition answers the same acceptance. Where the PSP's answer is lost, its record says what became of it, and nothing is sent blindly. Needs a key with the scope `act`. */
  acceptDispute(id: string, options?: CallOptions): Promise<DisputeAcceptance>;

  /** Look up the order behind a charge. For networks' order look-ups before a dispute is filed. Amount, day and the card's first digits have to name one charge alone: of several none is returned. Needs a key with the scope `read`. */
  lookUpOrder(body: LookUpOrderBody, options?: CallOptions): Promise<LookUpOrderAnswer>;

  /** Confirm the analytics record of a dispute. For conflicts, weak candidates and wrong matches: any analytics record of yours. No rule overrides it; another choice replaces it. Needs a key with the scope `act`. */
  confirmMatch(id: string, body: ConfirmMatchBody, options?: CallOptions): Promise<ConfirmMatchAnswer>;

  /** Check the service and your credentials. Answers 200 when the service runs and the credentials are valid. */
  ping(options?: CallOptions): Promise<PingAnswer>;
}

export const disputesOperations = {
  createAnalytics: { method: 'POST', path: '/v1/analytics/', pathNames: [], hasBody: true, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  showAnalytics: { method: 'GET', path: '/v1/analytics/{id}', pathNames: ['id'], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  eraseCustomer: { method: 'DELETE', path: '/v1/customers/{customer_id}', pathNames: ['customer_id'], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  reportDispute: { method: 'POST', path: '/v1/disputes', pathNames: [], hasBody: true, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  listDisputes: { method: 'GET', path: '/v1/disputes', pathNames: [], hasBody: false, hasQuery: true, hasKey: false, isRepeatable: true, form: 'json' },
  iterateDisputes: { method: 'GET', path: '/v1/disputes', pathNames: [], hasBody: false, hasQuery: true, hasKey: false, isRepeatable: true, form: 'json', pages: 'items' },
  showDispute: { method: 'GET', path: '/v1/disputes/{id}', pathNames: ['id'], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  showEvidence: { method: 'GET', path: '/v1/disputes/{id}/evidence', pathNames: ['id'], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  stateEvidence: { method: 'POST', path: '/v1/disputes/{id}/evidence', pathNames: ['id'], hasBody: true, hasQuery: false, hasKey: false, isRepeatable: false, form: 'json' },
  addAttachment: { method: 'POST', path: '/v1/disputes/{id}/attachments', pathNames: ['id'], hasBody: true, hasQuery: true, hasKey: false, isRepeatable: true, form: 'json', isFile: true },
  listAttachments: { method: 'GET', path: '/v1/disputes/{id}/attachments', pathNames: ['id'], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  showAttachment: { method: 'GET', path: '/v1/disputes/{id}/attachments/{attachment_id}', pathNames: ['id', 'attachment_id'], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: true, form: 'bytes' },
  removeAttachment: { method: 'DELETE', path: '/v1/disputes/{id}/attachments/{attachment_id}', pathNames: ['id', 'attachment_id'], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  submitDispute: { method: 'POST', path: '/v1/disputes/{id}/submit', pathNames: ['id'], hasBody: true, hasQuery: false, hasKey: false, isRepeatable: false, form: 'json' },
  acceptDispute: { method: 'POST', path: '/v1/disputes/{id}/accept', pathNames: ['id'], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: false, form: 'json' },
  lookUpOrder: { method: 'POST', path: '/v1/orders/lookup', pathNames: [], hasBody: true, hasQuery: false, hasKey: false, isRepeatable: false, form: 'json' },
  confirmMatch: { method: 'POST', path: '/v1/disputes/{id}/match', pathNames: ['id'], hasBody: true, hasQuery: false, hasKey: false, isRepeatable: false, form: 'json' },
  ping: { method: 'GET', path: '/', pathNames: [], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
} satisfies OperationTable;
