import { isAnswered, type TestDisputes } from './test-disputes.ts';

/** `broken`: the connection breaks without an answer. */
export type CheckoutAnswer = { readonly status: number; readonly body?: unknown } | 'broken';

/** `/files`, and `/disputes/:id` with its evidence and its acceptance; undefined for a request that is of neither. */
export function answerCheckoutDispute(
  disputes: TestDisputes,
  input: { readonly method: string; readonly path: string; readonly body: string },
): CheckoutAnswer | undefined {
  const { method, path, body } = input;
  if (path === '/files') return upload(body);
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
  else if (method === 'PUT') dispute.staged.splice(0, 1, JSON.parse(body));
  else if (dispute.staged.length > 0) dispute.submissions += 1;
  else
    return { status: 422, body: { error_type: 'request_invalid', error_codes: ['no_evidence'] } };
  return fault === 'lost_after'
    ? 'broken'
    : { status: method === 'PUT' || isAcceptance ? 204 : 202 };
}

/** A PDF for a dispute, as a form of several parts. */
function upload(body: string): CheckoutAnswer {
  const isPdf = body.includes('%PDF-') && body.includes('filename="evidence.pdf"');
  return isPdf && body.includes('dispute_evidence')
    ? { status: 200, body: { id: 'file_6lbss42ezvoufcb2beo76rvwly' } }
    : { status: 422, body: { error_type: 'request_invalid', error_codes: ['file_invalid'] } };
}
