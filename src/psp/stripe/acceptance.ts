import type { AcceptanceApi } from '../../disputes/acceptance/acceptance-gateway.ts';
import type { StripeClient } from './client.ts';
import { resultOf } from './evidence.ts';
import { failureReason } from './failures.ts';

const open = ['needs_response', 'warning_needs_response'];

/**
 * Disputes are accepted by closing them, which makes them `lost`. Of an inquiry the reference says nothing
 * but that: no money has moved there, and a refund ends it. Source: docs.stripe.com/api/disputes/close;
 * docs.stripe.com/disputes/how-disputes-work.
 */
export function createStripeAcceptance(input: {
  readonly client: StripeClient;
  readonly deadlineMs: number;
}): AcceptanceApi {
  const { client, deadlineMs } = input;
  return {
    kind: 'api',
    refusedStages: {
      inquiry: 'In an inquiry no money has moved: refund the charge at Stripe, which ends it.',
      arbitration: 'Stripe has decided already: a decision that is not appealed in time stands.',
    },
    accept: async ({ pspDisputeId, attempt }) =>
      resultOf(
        await client.ask(deadlineMs, (stripe, options) => {
          const idempotencyKey = `${pspDisputeId}-accept-${attempt}`;
          return stripe.disputes.close(pspDisputeId, {}, { ...options, idempotencyKey });
        }),
      ),
    async readAccepted(pspDisputeId) {
      const answer = await client.ask(deadlineMs, (stripe, options) =>
        stripe.disputes.retrieve(pspDisputeId, {}, options),
      );
      if (answer.kind !== 'answered') return { kind: 'unreadable', reason: failureReason(answer) };
      const { status } = answer.value;
      if (status === 'lost') return { kind: 'accepted' };
      return open.includes(status)
        ? { kind: 'not_accepted' }
        : { kind: 'unreadable', reason: 'the status of the dispute does not say it' };
    },
  };
}
