import type Stripe from 'stripe';
import type { Packet } from '../../disputes/evidence/packet.ts';
import { renderStripe } from '../../disputes/evidence/renderers/render-stripe.ts';
import type { EvidenceApi, EvidenceResult } from '../../disputes/submission/evidence-gateway.ts';
import { fieldsOf } from '../answer-fields.ts';
import type { Answer, StripeClient } from './client.ts';
import { stripeFiles } from './evidence-files.ts';
import { failureReason } from './failures.ts';
import { intOf } from './fields.ts';
import { namePriorCharges } from './operations/name-prior-charges.ts';

/**
 * Statuses of a dispute that awaits evidence. One that was an inquiry is the same object as a chargeback, and its count
 * of submissions goes on: what answered the inquiry is no answer to what came of it, nor to a decision that may be appealed.
 */
const awaiting: readonly string[] = [
  'needs_response',
  'warning_needs_response',
  'appeal_needs_response',
];

/** An appeal takes a statement and files alone, and no other evidence (docs.stripe.com/disputes/arbitration). */
const appealByHand = {
  kind: 'failed',
  reason: 'Recoup sends no appeals: appeal the decision in the Dashboard of Stripe, by respond_by.',
} as const satisfies EvidenceResult;

function isAppeal({ content }: Packet): boolean {
  return content.dispute.stage === 'arbitration';
}

/**
 * Answers to disputes by the dispute's update. `submit: false` keeps the evidence there, `submit: true`
 * sends it on, once. Source: docs.stripe.com/api/disputes/update; docs.stripe.com/disputes/api/visa-ce3.
 */
export function createStripeEvidence(input: {
  readonly client: StripeClient;
  readonly deadlineMs: number;
}): EvidenceApi {
  const { client, deadlineMs } = input;
  type Evidence = Stripe.DisputeUpdateParams.Evidence;
  const update = (id: string, params: Stripe.DisputeUpdateParams, idempotencyKey: string) =>
    client.ask(deadlineMs, (stripe, options) =>
      stripe.disputes.update(id, params, { ...options, idempotencyKey }),
    );
  return {
    kind: 'api',
    async stage(request) {
      const { pspDisputeId, packet, attempt } = request;
      if (isAppeal(packet)) return appealByHand;
      const { body } = renderStripe(packet.content);
      const named = await namePriorCharges({ client, deadlineMs }, body);
      if (named.kind === 'failed') return named;
      const files = await stripeFiles({ client, deadlineMs }, request);
      if (files.kind === 'failed') return files;
      // The same members; the SDK's own types want lists that may be changed.
      const evidence = { ...named.evidence, ...files.fields } as unknown as Evidence;
      const key = `${pspDisputeId}-evidence-${attempt}-${packet.contentHash}`;
      return resultOf(await update(pspDisputeId, { evidence, submit: false }, key));
    },
    async submit({ pspDisputeId, packet, attempt }) {
      if (isAppeal(packet)) return appealByHand;
      const key = `${pspDisputeId}-submit-${attempt}`;
      return resultOf(await update(pspDisputeId, { submit: true }, key));
    },
    async readSubmitted(pspDisputeId) {
      const answer = await client.ask(deadlineMs, (stripe, options) =>
        stripe.disputes.retrieve(pspDisputeId, {}, options),
      );
      if (answer.kind !== 'answered') return { kind: 'unreadable', reason: failureReason(answer) };
      const details = fieldsOf(answer.value.evidence_details);
      const count = intOf(details?.submission_count);
      if (count === undefined) {
        return { kind: 'unreadable', reason: 'Stripe gave an answer that cannot be understood' };
      }
      const isSubmitted = count > 0 && !awaiting.includes(answer.value.status);
      return { kind: isSubmitted ? 'submitted' : 'not_submitted' };
    },
  };
}

/** Stripe says with 4xx that nothing was done, but for 409 and what concerns the key alone. */
export function resultOf(answer: Answer<unknown>): EvidenceResult {
  if (answer.kind === 'answered') return { kind: 'done' };
  const reason = failureReason(answer);
  if (answer.kind === 'not_sent') return { kind: 'failed', reason };
  const isRefusal =
    answer.kind === 'refused' &&
    [400, 401, 403, 404, 429].includes(answer.status) &&
    answer.error.type !== 'idempotency_error';
  return { kind: isRefusal ? 'failed' : 'lost', reason };
}
