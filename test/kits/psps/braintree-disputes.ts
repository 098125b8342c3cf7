import { document, type XmlValue } from './braintree-xml.ts';
import { isAnswered, type TestDispute, type TestDisputes } from './test-disputes.ts';

/** `broken`: the connection breaks without an answer. */
export type BraintreeAnswer = { readonly status: number; readonly text: string } | 'broken';

interface Piece {
  readonly comments: string;
  readonly category?: string;
  readonly sequence_number?: number;
}

/** `/disputes/:id` with its evidence, its end and its acceptance. */
export function answerBraintreeDispute(
  disputes: TestDisputes,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: string },
): BraintreeAnswer {
  const [, id = '', action = ''] = /\/disputes\/([^/]+)\/?(\w*)$/.exec(path) ?? [];
  const dispute = disputes.find(id);
  if (dispute === undefined) return { status: 404, text: '' };
  if (method === 'GET') return { status: 200, text: document('dispute', disputeXml(dispute)) };
  if (action === 'accept') dispute.acceptCalls += 1;
  const fault = disputes.takeFault();
  if (fault === 'lost_before') return 'broken';
  if (fault === 'refused' || isAnswered(dispute)) return refused(action);
  if (action === 'finalize') dispute.submissions += 1;
  else if (action === 'accept') dispute.acceptances += 1;
  else dispute.staged.push(JSON.parse(body).evidence);
  if (fault === 'lost_after') return 'broken';
  const piece = dispute.staged.at(-1) as Piece;
  return action === 'finalize' || action === 'accept'
    ? { status: 200, text: document('dispute', disputeXml(dispute)) }
    : { status: 201, text: document('evidence', pieceXml(piece, dispute.staged.length)) };
}

function disputeXml({ id, staged, submissions, acceptances }: TestDispute): XmlValue {
  const answered = acceptances > 0 ? 'accepted' : 'disputed';
  return {
    id,
    status: submissions + acceptances > 0 ? answered : 'open',
    kind: 'chargeback',
    evidence: staged.map((piece, index) => ({ evidence: pieceXml(piece as Piece, index + 1) })),
  };
}

function pieceXml({ comments, category, sequence_number }: Piece, number: number): XmlValue {
  return {
    id: `evidence${number}`,
    comment: comments,
    category,
    'sequence-number': sequence_number ?? null,
    'created-at': '2026-11-02T09:00:00Z',
  };
}

/** 95701 and 95704: evidence can be added to disputes alone that are open, and they alone accepted. */
function refused(action: string): BraintreeAnswer {
  const isAcceptance = action === 'accept';
  const what = isAcceptance ? 'Disputes can only be accepted' : 'Evidence can only be attached';
  const message = `${what} in an Open state`;
  const code = isAcceptance ? '95704' : '95701';
  const errors = [{ error: { code, attribute: 'base', message } }];
  const dispute: XmlValue = { errors };
  return {
    status: 422,
    text: document('api-error-response', { errors: { errors: [], dispute }, message }),
  };
}
