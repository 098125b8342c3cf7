import {
  type BraintreeEvidence,
  renderBraintree,
} from '../../disputes/evidence/renderers/render-braintree.ts';
import type { EvidenceApi, EvidenceResult } from '../../disputes/submission/evidence-gateway.ts';
import { codeOf, type Fields, fieldsOf, textOf } from '../answer-fields.ts';
import type { Watched } from '../watched-call.ts';
import type { BraintreeClient } from './client.ts';
import { reasonOf } from './map.ts';

/** States of a dispute whose answer was finalized. Source: Braintree, Dispute.Status. */
const answered = ['disputed', 'under_review', 'won'];

/**
 * Answers to disputes: text evidence by category is added piece by piece, and finalizing sends it on.
 * Source: Braintree, dispute.addTextEvidence and dispute.finalize. Its SDK uploads files by their paths
 * alone, so that the PDF is left to a person.
 */
export function createBraintreeEvidence(client: BraintreeClient): EvidenceApi {
  return {
    kind: 'api',
    async stage({ pspDisputeId, packet }) {
      const found = await client.dispute(pspDisputeId);
      if (found.kind !== 'answered') return { kind: 'failed', reason: reasonOf(found) };
      const there = piecesIn(found.value);
      for (const piece of renderBraintree(packet.content).body) {
        if (there.has(nameOf(piece))) continue;
        const result = resultOf(await client.addTextEvidence(pspDisputeId, piece), piece.category);
        if (result.kind !== 'done') return result;
      }
      return { kind: 'done' };
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
  const { evidence } = disputeIn(value);
  const pieces = Array.isArray(evidence) ? evidence : [];
  return new Set(
    pieces.map((item) => {
      const { category, comment, sequenceNumber } = fieldsOf(item) ?? {};
      return JSON.stringify([category, comment, sequenceNumber ?? null]);
    }),
  );
}

export function disputeIn(value: unknown): Fields {
  return fieldsOf(fieldsOf(value)?.dispute) ?? {};
}

/** The SDK gives validation errors as an answer without success, and other refusals as errors. */
export function resultOf(sent: Watched<unknown>, what: string): EvidenceResult {
  if (sent.kind === 'answered') {
    if (fieldsOf(sent.value)?.success === true) return { kind: 'done' };
    const codes = codesIn(sent.value);
    return { kind: 'failed', reason: `Braintree did not take ${what}: ${codes}` };
  }
  const reason = reasonOf(sent);
  const isRefusal = sent.kind === 'refused' && [401, 403, 404, 426, 429].includes(sent.status);
  return { kind: isRefusal || sent.kind === 'not_sent' ? 'failed' : 'lost', reason };
}

interface Validation {
  deepErrors?(): readonly { readonly code?: unknown }[];
}

function codesIn(value: unknown): string {
  const errors = fieldsOf(value)?.errors as Validation | undefined;
  const codes = errors?.deepErrors?.().flatMap(({ code }) => codeOf(code) ?? []) ?? [];
  return codes.length === 0 ? 'it gave no reason' : codes.slice(0, 5).join(', ');
}
