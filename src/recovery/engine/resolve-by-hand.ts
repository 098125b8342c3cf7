import type { PaymentState } from '../../domain/states.ts';
import { isStorableId, truncatedText } from '../../domain/truncated-text.ts';
import type { FindCharge, NamedCharge } from '../psp-event-ports.ts';
import type { DefiniteResult } from './answers/judge-answer.ts';
import type { EngineDeps } from './deps.ts';
import { resolveCharge } from './resolve-charge.ts';

/** What a person saw in the PSP's own records of a charge whose answer was lost. */
export type SeenResult =
  | { readonly kind: 'succeeded'; readonly pspTransactionId: string }
  | { readonly kind: 'declined'; readonly pspTransactionId?: string }
  | { readonly kind: 'not_made' };

export type ResolveByHandOutcome =
  | { readonly kind: 'resolved'; readonly status: PaymentState }
  | { readonly kind: 'refused'; readonly because: string }
  | { readonly kind: 'not_found' };

export interface ResolveByHandInput {
  readonly merchantId: string;
  readonly idempotencyKey: string;
  readonly seen: SeenResult;
  /** Who saw it where, in words: kept with the decline, and in the audit log. */
  readonly reason: string;
}

/**
 * Resolves an unknown charge by what a person saw at the PSP, for those that the PSP's record could
 * not resolve in time. Only an unknown one: what is resolved stays as it is.
 */
export async function resolveByHand(
  deps: Pick<EngineDeps, 'clock' | 'random' | 'signLink' | 'payments' | 'merchants' | 'wake'> & {
    readonly findCharge: (input: FindCharge) => Promise<NamedCharge | undefined>;
  },
  input: ResolveByHandInput,
): Promise<ResolveByHandOutcome> {
  const { merchantId, idempotencyKey } = input;
  const charge = await deps.findCharge({ merchantId, idempotencyKey, now: deps.clock.now() });
  if (charge === undefined) return { kind: 'not_found' };
  const { state } = charge.transaction;
  if (state === 'sending') return refused('The charge is being made right now; try again later.');
  if (state !== 'unknown') return refused(`The charge is already resolved: ${state}.`);
  const pspTransactionId = 'pspTransactionId' in input.seen && input.seen.pspTransactionId;
  if (typeof pspTransactionId === 'string' && !isStorableId(pspTransactionId)) {
    return refused('transaction_id cannot be an id of this processor.');
  }
  const recorded = await resolveCharge(deps, charge, resultOf(input));
  if (recorded !== 'recorded') return refused('Somebody else has just resolved the charge.');
  const payment = await deps.payments.load(charge);
  return payment === undefined
    ? { kind: 'not_found' }
    : { kind: 'resolved', status: payment.state };
}

function resultOf({ seen, reason }: ResolveByHandInput): DefiniteResult {
  switch (seen.kind) {
    case 'succeeded':
      return seen;
    case 'declined':
      // A person reads no codes off a dashboard: the schedule goes on as after any soft decline.
      return {
        ...seen,
        decline: { category: 'later', code: 'settled_by_operator', message: truncatedText(reason) },
      };
    case 'not_made':
      return { kind: 'not_made', reason };
  }
}

function refused(because: string): ResolveByHandOutcome {
  return { kind: 'refused', because };
}
