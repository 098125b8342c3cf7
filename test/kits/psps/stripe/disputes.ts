import { formAt, textAt } from '../../../../src/faults/psps/stripe/form.ts';
import { readMultipart } from '../read-multipart.ts';
import {
  type DisputeFault,
  isAnswered,
  type TestDispute,
  type TestDisputes,
} from '../test-disputes.ts';
import type { Outcome, StripeRequest } from './routes.ts';

/** What a method is called whose charge's answer is lost; its fault serves disputes too. */
const lost: Readonly<Partial<Record<DisputeFault, string>>> = {
  lost_before: 'pm_lost_before',
  lost_after: 'pm_lost_success',
};

/**
 * `GET` and `POST /v1/disputes/:id`: staging with `submit=false`, else the one submission; and
 * `POST /v1/disputes/:id/close`, which makes it lost.
 */
export function answerDispute(disputes: TestDisputes, request: StripeRequest, id: string): Outcome {
  const dispute = disputes.find(id);
  if (dispute === undefined) return refused(404, `No such dispute: '${id}'`, 'resource_missing');
  if (request.method === 'GET') return { kind: 'object', body: disputeObject(dispute) };
  if (request.path.endsWith('/close')) dispute.acceptCalls += 1;
  const fault = disputes.takeFault();
  if (fault === 'refused') return refused(400, 'Invalid evidence.');
  const methodId = fault && lost[fault];
  if (fault !== 'lost_before') {
    const failure = change(dispute, request);
    if (failure !== undefined) return failure;
  }
  const body = disputeObject(dispute);
  return { kind: 'object', body, ...(methodId !== undefined && { methodId }) };
}

/** `POST /v1/files`, a form of several parts with the purpose `dispute_evidence`. */
export function answerFile(
  disputes: TestDisputes,
  contentType: string | undefined,
  bytes: Buffer,
): Outcome {
  const parts = readMultipart(contentType, bytes) ?? [];
  const purpose = parts.find(({ name }) => name === 'purpose')?.bytes.toString();
  const part = parts.find(({ name }) => name === 'file');
  if (purpose !== 'dispute_evidence' || part?.fileName === undefined) {
    return refused(400, 'Invalid file.');
  }
  const { fileName: name, contentType: type = '' } = part;
  const kept = disputes.receive({ name, contentType: type, bytes: part.bytes });
  if (kept === undefined) return refused(400, 'This file is not taken.', 'file_invalid');
  return { kind: 'object', body: { id: kept.id, object: 'file', purpose, filename: name } };
}

function change(dispute: TestDispute, { form, path }: StripeRequest): Outcome | undefined {
  if (isAnswered(dispute)) return refused(400, 'This dispute has been answered already.');
  if (path.endsWith('/close')) {
    dispute.acceptances += 1;
    return undefined;
  }
  const evidence = formAt(form, 'evidence');
  if (Object.keys(evidence).length > 0) dispute.staged.splice(0, 1, evidence);
  if (textAt(form, 'submit') !== 'false') dispute.submissions += 1;
  return undefined;
}

function disputeObject(dispute: TestDispute) {
  const { id, staged, submissions, acceptances } = dispute;
  const answered = acceptances > 0 ? 'lost' : 'under_review';
  return {
    id,
    object: 'dispute',
    evidence: staged[0] ?? {},
    evidence_details: {
      due_by: 1_900_000_000,
      has_evidence: staged.length > 0,
      past_due: false,
      submission_count: submissions,
    },
    status: isAnswered(dispute) ? answered : 'needs_response',
  };
}

function refused(status: number, message: string, code?: string): Outcome {
  const error = { type: 'invalid_request_error', message, ...(code !== undefined && { code }) };
  return { kind: 'refused', refusal: { status, error } };
}
