import { renderCheckout } from '../../disputes/evidence/renderers/render-checkout.ts';
import type { EvidenceApi, EvidenceResult } from '../../disputes/submission/evidence-gateway.ts';
import { fieldsOf, textOf } from '../answer-fields.ts';
import type { Watched } from '../watched-call.ts';
import type { CheckoutClient } from './client.ts';
import { reasonOf } from './map.ts';

/** Statuses of a dispute whose evidence was submitted. Source: Checkout.com, dispute statuses. */
const answered = [
  'evidence_under_review',
  'won',
  'arbitration_under_review',
  'arb_evidence_submitted',
];

/**
 * Answers to disputes: the PDF as an additional file, and compelling evidence where the rules hold, are
 * provided with the dispute, then submitted. Source: Checkout.com, Disputes API, provide and submit
 * dispute evidence; Files API, upload.
 */
export function createCheckoutEvidence(client: CheckoutClient): EvidenceApi {
  return {
    kind: 'api',
    async stage({ pspDisputeId, packet, pdf }) {
      const uploaded = await client.uploadEvidence(await pdf());
      if (uploaded.kind !== 'answered') return resultOf(uploaded);
      const file = textOf(fieldsOf(uploaded.value)?.id);
      if (file === undefined) return { kind: 'failed', reason: 'the uploaded file has no id' };
      const body = { ...renderCheckout(packet.content).body, additional_evidence_file: file };
      return resultOf(await client.provideEvidence(pspDisputeId, body));
    },
    submit: async ({ pspDisputeId }) => resultOf(await client.submitEvidence(pspDisputeId)),
    async readSubmitted(pspDisputeId) {
      const found = await client.dispute(pspDisputeId);
      if (found.kind !== 'answered') return { kind: 'unreadable', reason: reasonOf(found) };
      const status = textOf(fieldsOf(found.value)?.status);
      if (status === 'evidence_required') return { kind: 'not_submitted' };
      return status !== undefined && answered.includes(status)
        ? { kind: 'submitted' }
        : { kind: 'unreadable', reason: 'the status of the dispute does not say it' };
    },
  };
}

/** 4xx says that nothing was taken, but for 409 and 429 of a request that is on its way. */
export function resultOf(sent: Watched<unknown>): EvidenceResult {
  if (sent.kind === 'answered') return { kind: 'done' };
  const reason = reasonOf(sent);
  const isRefusal = sent.kind === 'refused' && [400, 401, 403, 404, 422].includes(sent.status);
  return { kind: isRefusal || sent.kind === 'not_sent' ? 'failed' : 'lost', reason };
}
