import type { StripeEvidence } from '../../../disputes/evidence/renderers/render-stripe.ts';
import { fieldsOf } from '../../answer-fields.ts';
import type { StripeClient } from '../client.ts';
import { failureReason } from '../failures.ts';
import { refOf } from '../fields.ts';

type Named =
  | { readonly kind: 'named'; readonly evidence: StripeEvidence }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Evidence with its priors by their charges' ids, which is what Stripe takes: merchants report a payment by its intent too.
 * Where Stripe knows no charge of an intent, or two are one, the priors are left out: with them the whole evidence would be
 * refused. Source: docs.stripe.com/api/disputes/update, visa_compelling_evidence_3.prior_undisputed_transactions.charge.
 */
export async function namePriorCharges(
  deps: { readonly client: StripeClient; readonly deadlineMs: number },
  evidence: StripeEvidence,
): Promise<Named> {
  const { enhanced_evidence: enhanced, ...ordinary } = evidence;
  const compelling = enhanced?.visa_compelling_evidence_3;
  const priors = compelling?.prior_undisputed_transactions ?? [];
  if (compelling === undefined || priors.every(({ charge }) => !isIntent(charge))) {
    return { kind: 'named', evidence };
  }
  const named: (typeof priors)[number][] = [];
  for (const prior of priors) {
    const found = await chargeOf(deps, prior.charge);
    if (found.kind === 'failed') return found;
    if (found.charge === undefined) return { kind: 'named', evidence: ordinary };
    named.push({ ...prior, charge: found.charge });
  }
  const isOne = new Set(named.map(({ charge }) => charge)).size < named.length;
  if (isOne) return { kind: 'named', evidence: ordinary };
  const whole = { ...compelling, prior_undisputed_transactions: named };
  return {
    kind: 'named',
    evidence: { ...ordinary, enhanced_evidence: { visa_compelling_evidence_3: whole } },
  };
}

async function chargeOf(
  { client, deadlineMs }: Parameters<typeof namePriorCharges>[0],
  id: string,
): Promise<
  | { readonly kind: 'charge'; readonly charge: string | undefined }
  | { readonly kind: 'failed'; readonly reason: string }
> {
  if (!isIntent(id)) return { kind: 'charge', charge: id };
  const read = await client.ask(deadlineMs, (stripe, options) =>
    stripe.paymentIntents.retrieve(id, {}, options),
  );
  if (read.kind === 'answered') {
    const intent = fieldsOf(read.value);
    return { kind: 'charge', charge: intent?.id === id ? refOf(intent.latest_charge) : undefined };
  }
  const isGone = read.kind === 'refused' && read.status === 404;
  if (isGone) return { kind: 'charge', charge: undefined };
  return { kind: 'failed', reason: `${id} was not read: ${failureReason(read)}` };
}

function isIntent(id: string): boolean {
  return id.startsWith('pi_');
}
