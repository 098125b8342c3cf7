import type { PspAnswer, PspRequest } from './http-psp.ts';
import { readMultipart } from './read-multipart.ts';
import {
  type DisputeFault,
  isAnswered,
  type TestDispute,
  type TestDisputes,
} from './test-disputes.ts';

/**
 * `GET /v1/customer/disputes/:id` of one that PayPal waits for the seller with, and what it becomes. In
 * the shape of paypal-rest-api-specifications, customer_disputes_v1.json: `dispute`, with the links
 * that say what may be done.
 */
export function answerableDispute(dispute: TestDispute, url: string) {
  const { id, acceptances, staged, givenAt } = dispute;
  const isOpen = !isAnswered(dispute);
  const answered = acceptances > 0 ? 'RESOLVED' : 'UNDER_REVIEW';
  const self = `${url}/v1/customer/disputes/${id}`;
  const given = (staged[0] as { evidences: readonly object[] } | undefined)?.evidences ?? [];
  return {
    dispute_id: id,
    status: isOpen ? 'WAITING_FOR_SELLER_RESPONSE' : answered,
    ...(acceptances > 0 && { dispute_outcome: { outcome_code: 'RESOLVED_BUYER_FAVOUR' } }),
    ...(isOpen && {
      allowed_response_options: { accept_claim: { accept_claim_types: ['REFUND'] } },
    }),
    dispute_life_cycle_stage: 'CHARGEBACK',
    ...(given.length > 0 && {
      evidences: given.map((piece) => ({
        ...piece,
        source: 'SUBMITTED_BY_SELLER',
        dispute_life_cycle_stage: 'CHARGEBACK',
        ...(givenAt !== undefined && { date: givenAt }),
      })),
    }),
    links: [
      { href: self, rel: 'self', method: 'GET' },
      ...(isOpen
        ? [{ href: `${self}/provide-evidence`, rel: 'provide_evidence', method: 'POST' }]
        : []),
    ],
  };
}

/** `POST /v1/customer/disputes/:id/provide-evidence`: once, and what it takes is sent on at once. */
export function takeEvidence(
  dispute: TestDispute,
  fault: DisputeFault | undefined,
  request: PspRequest,
  disputes: TestDisputes,
): PspAnswer {
  if (fault === 'lost_before') return 'broken';
  if (fault === 'refused') return refusal(400, 'INVALID_EVIDENCE_FILE');
  if (isAnswered(dispute)) return refusal(422, 'INVALID_STATE');
  const form = readForm(request, disputes);
  if (form === undefined) return refusal(400, 'INVALID_EVIDENCE_FILE');
  dispute.staged.splice(0, 1, form);
  dispute.submissions += 1;
  const href = request.url.pathname.replace('/provide-evidence', '');
  const links = [{ href, rel: 'self', method: 'GET' }];
  return fault === 'lost_after' ? 'broken' : { status: 200, body: { links } };
}

/** `POST /v1/customer/disputes/:id/accept-claim`: once, by a refund of the whole. */
export function acceptClaim(
  dispute: TestDispute,
  fault: DisputeFault | undefined,
  { url, text }: PspRequest,
): PspAnswer {
  dispute.acceptCalls += 1;
  if (fault === 'lost_before') return 'broken';
  const { note, accept_claim_type: type, refund_amount: amount } = JSON.parse(text);
  const isRight = typeof note === 'string' && type === 'REFUND';
  if (amount !== undefined) return refusal(422, 'AMOUNT_SHOULD_NOT_BE_PASSED');
  if (fault === 'refused' || !isRight) return refusal(400, 'INVALID_PARAMETER');
  if (isAnswered(dispute)) return refusal(422, 'INVALID_STATE');
  dispute.acceptances += 1;
  const href = url.pathname.replace('/accept-claim', '');
  const links = [{ href, rel: 'self', method: 'GET' }];
  return fault === 'lost_after' ? 'broken' : { status: 200, body: { links } };
}

/** `error_400` and `error_422` of the specification, with the code of the issue. */
export function refusal(status: 400 | 422, issue: string): PspAnswer {
  const name = status === 400 ? 'INVALID_REQUEST' : 'UNPROCESSABLE_ENTITY';
  return { status, body: { name, message: 'x', debug_id: 'x', details: [{ issue }] } };
}

interface Evidences {
  readonly evidences: readonly {
    readonly evidence_type: string;
    readonly notes?: string;
    readonly documents?: readonly { readonly name: string }[];
  }[];
}

/**
 * The `input` of the form, with every file noted; undefined where it is not right, where a document that it names
 * did not come, or where one came that it does not name.
 */
function readForm({ headers, bytes }: PspRequest, disputes: TestDisputes): Evidences | undefined {
  const parts = readMultipart(headers['content-type'], bytes) ?? [];
  const json = parts.find(({ name }) => name === 'input');
  if (json?.contentType !== 'application/json') return undefined;
  const input = JSON.parse(json.bytes.toString()) as Evidences;
  const isRight = input.evidences.every(
    ({ evidence_type, notes = 'x' }) =>
      /^[0-9A-Z_]+$/.test(evidence_type) && notes.length >= 1 && notes.length <= 2_000,
  );
  const named = input.evidences.flatMap(({ documents = [] }) => documents.map(({ name }) => name));
  const files = parts.filter(({ name }) => name === 'evidence-file');
  const isThere = named.join() === files.map(({ fileName }) => fileName).join();
  const isNamed = named.every((name) => /^[A-Za-z0-9-_,\s]+\.[A-Za-z]+$/.test(name));
  if (!isRight || named.length === 0 || !isThere || !isNamed) return undefined;
  const kept = files.map(({ fileName: name = '', contentType = '', bytes: content }) =>
    disputes.receive({ name, contentType, bytes: content }),
  );
  return kept.includes(undefined) ? undefined : input;
}
