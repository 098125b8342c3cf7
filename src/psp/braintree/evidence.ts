import {
  type BraintreeEvidence,
  renderBraintree,
} from '../../disputes/evidence/renderers/render-braintree.ts';
import type { EvidenceApi, EvidenceResult } from '../../disputes/submission/evidence-gateway.ts';
import { listOf, textOf } from '../answer-fields.ts';
import type { BraintreeClient } from './client.ts';
import { codesIn, disputeIn, general, resultOf, tooLate, unfitCodes } from './dispute-answers.ts';
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
      const { body } = renderBraintree(packet.content);
      const there = piecesIn(found.value);
      const result = await stageTexts(client, pspDisputeId, { pieces: body, there, deadline });
      if (result.kind !== 'done') return result;
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

/**
 * Adds what does not lie there yet. Some reasons of disputes have a part of the categories alone: what Braintree does not
 * take by its category is told in words, in one general text. Source: Braintree, evidence requirements.
 */
async function stageTexts(
  client: BraintreeClient,
  pspDisputeId: string,
  about: {
    readonly pieces: readonly BraintreeEvidence[];
    readonly there: ReadonlySet<string>;
    readonly deadline: AbortSignal;
  },
): Promise<EvidenceResult> {
  const { pieces, there, deadline } = about;
  const unfit: BraintreeEvidence[] = [];
  for (const piece of pieces) {
    if (there.has(nameOf(piece))) continue;
    if (deadline.aborted) return tooLate;
    const sent = await client.addTextEvidence(pspDisputeId, piece);
    const isUnfit = codesIn(sent).some((code) => unfitCodes.has(code));
    if (isUnfit && piece.category !== general) {
      unfit.push(piece);
      continue;
    }
    const result = resultOf(sent, piece.category);
    if (result.kind !== 'done') return result;
  }
  if (unfit.length === 0) return { kind: 'done' };
  const words = { category: general, content: unfit.map(inWords).join('\n') };
  return stageTexts(client, pspDisputeId, { pieces: [words], there, deadline });
}

/** `Prior non disputed transaction 1, IP address: 8.8.4.4`. */
function inWords({ category, content, sequenceNumber }: BraintreeEvidence): string {
  const words = category.toLowerCase().replaceAll('_', ' ');
  const named = words.replace(/\b(?:ip|arn|id)\b/g, (name) => name.toUpperCase());
  const [, of = '', what = ''] = /^(.* transaction) (.*)$/.exec(named) ?? [];
  const label = what === '' ? named : `${[of, sequenceNumber].filter(Boolean).join(' ')}, ${what}`;
  return `${label.slice(0, 1).toUpperCase()}${label.slice(1)}: ${content}`;
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
