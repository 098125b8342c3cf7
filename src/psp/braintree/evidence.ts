import {
  type BraintreeEvidence,
  renderBraintree,
} from '../../disputes/evidence/renderers/render-braintree.ts';
import type { EvidenceApi } from '../../disputes/submission/evidence-gateway.ts';
import { listOf, textOf } from '../answer-fields.ts';
import type { BraintreeClient } from './client.ts';
import { disputeIn, resultOf, tooLate } from './dispute-answers.ts';
import { stageFiles } from './files/stage-files.ts';
import { reasonOf } from './map.ts';

/** States of a dispute whose answer was finalized. Source: Braintree, Dispute.Status. */
const answered = ['disputed', 'under_review', 'won'];

/**
 * Answers to disputes: text evidence by category is added piece by piece, then each file, and finalizing sends them on.
 * The texts say what the PDF says, which is not sent. Source: Braintree, dispute.addTextEvidence,
 * dispute.addFileEvidence and dispute.finalize.
 */
export function createBraintreeEvidence(client: BraintreeClient): EvidenceApi {
  return {
    kind: 'api',
    async stage(request) {
      const { pspDisputeId, packet } = request;
      const deadline = client.stagingDeadline();
      const found = await client.dispute(pspDisputeId);
      if (found.kind !== 'answered') return { kind: 'failed', reason: reasonOf(found) };
      const there = piecesIn(found.value);
      for (const piece of renderBraintree(packet.content).body) {
        if (there.has(nameOf(piece))) continue;
        if (deadline.aborted) return tooLate;
        const result = resultOf(await client.addTextEvidence(pspDisputeId, piece), piece.category);
        if (result.kind !== 'done') return result;
      }
      return stageFiles(client, request, { dispute: found.value, deadline });
    },
    submit: async ({ pspDisputeId }) =>
      resultOf(await client.finalizeDispute(pspDisputeId), 'the end of the evidence'),
    async readSubmitted(pspDisputeId) {
      const found = await client.dispute(pspDisputeId);
      if (found.kind !== 'answered') return { kind: 'unreadable', reason: reasonOf(found) };
      const status = textOf(disputeIn(found.value).status);
      if (status === 'open') return { kind: 'not_submitted' };
      return status !== undefined && answered.includes(status)
        ? { kind: 'submitted' }
        : { kind: 'unreadable', reason: 'the state of the dispute does not say it' };
    },
  };
}

/** What a piece says, to know it again: a piece that was added twice would stand there twice. */
function nameOf({ category, content, sequenceNumber }: BraintreeEvidence): string {
  return JSON.stringify([category, content, sequenceNumber ?? null]);
}

function piecesIn(value: unknown): ReadonlySet<string> {
  return new Set(
    listOf(disputeIn(value).evidence).map(({ category, comment, sequenceNumber }) =>
      JSON.stringify([category, comment, sequenceNumber ?? null]),
    ),
  );
}
