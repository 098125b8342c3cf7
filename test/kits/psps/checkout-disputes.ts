import { readMultipart } from './read-multipart.ts';
import { isAnswered, type TestDisputes } from './test-disputes.ts';

/** `broken`: the connection breaks without an answer. */
export type CheckoutAnswer = { readonly status: number; readonly body?: unknown } | 'broken';

/**
 * `/files`, and `/disputes/:id` with its evidence and its acceptance; undefined for a request that is of neither. Evidence
 * that is provided, its submission and the acceptance are all answered 204 (Checkout.com, API reference, Disputes).
 */
export function answerCheckoutDispute(
  disputes: TestDisputes,
  input: {
    readonly method: string;
    readonly path: string;
    readonly body: string;
    readonly bytes: Buffer;
    readonly contentType: string | undefined;
  },
): CheckoutAnswer | undefined {
  const { method, path, body } = input;
  if (path === '/files') return upload(disputes, input);
  const [, id = '', action] = /^\/disputes\/(\w+)(\/evidence|\/accept)?$/.exec(path) ?? [];
  if (id === '') return undefined;
  const dispute = disputes.find(id);
  if (dispute === undefined) return { status: 404 };
  if (action === undefined) {
    const answered = dispute.acceptances > 0 ? 'accepted' : 'evidence_under_review';
    const status = isAnswered(dispute) ? answered : 'evidence_required';
    return { status: 200, body: { id, status } };
  }
  const isAcceptance = action === '/accept';
  if (isAcceptance) dispute.acceptCalls += 1;
  const fault = disputes.takeFault();
  if (fault === 'lost_before') return 'broken';
  if (fault === 'refused' || isAnswered(dispute)) {
    const error_codes = [
      isAcceptance ? 'dispute_cannot_be_accepted' : 'evidence_cannot_be_provided',
    ];
    return { status: 422, body: { error_type: 'request_invalid', error_codes } };
  }
  if (isAcceptance) dispute.acceptances += 1;
  else if (method === 'PUT') {
    const evidence = JSON.parse(body);
    if (!Object.keys(evidence).every((field) => evidenceFields.includes(field))) {
      return {
        status: 422,
        body: { error_type: 'request_invalid', error_codes: ['unknown_field'] },
      };
    }
    dispute.staged.splice(0, 1, evidence);
  } else if (dispute.staged.length > 0) dispute.submissions += 1;
  else
    return { status: 422, body: { error_type: 'request_invalid', error_codes: ['no_evidence'] } };
  return fault === 'lost_after' ? 'broken' : { status: 204 };
}

/** Those of DisputeEvidenceRequest in checkout-sdk-net. */
const evidenceFields = [
  'proof_of_delivery_or_service',
  'invoice_or_receipt',
  'invoice_showing_distinct_transactions',
  'customer_communication',
  'refund_or_cancellation_policy',
  'recurring_transaction_agreement',
  'additional_evidence',
  'proof_of_delivery_or_service_date',
]
  .flatMap((name) => [`${name}_file`, `${name}_text`])
  .concat('compelling_evidence');

/** A file for a dispute, as a form of several parts; its type goes by the ending of its name. */
function upload(
  disputes: TestDisputes,
  { bytes, contentType }: { readonly bytes: Buffer; readonly contentType: string | undefined },
): CheckoutAnswer {
  const parts = readMultipart(contentType, bytes) ?? [];
  const purpose = parts.find(({ name }) => name === 'purpose')?.bytes.toString();
  const part = parts.find(({ name }) => name === 'file');
  const { fileName: name = '', contentType: type = '' } = part ?? {};
  const isTaken = purpose === 'dispute_evidence' && /\.(pdf|png|jpg)$/.test(name);
  const kept = isTaken && part && disputes.receive({ name, contentType: type, bytes: part.bytes });
  return kept
    ? { status: 200, body: { id: kept.id } }
    : { status: 422, body: { error_type: 'request_invalid', error_codes: ['file_invalid'] } };
}
