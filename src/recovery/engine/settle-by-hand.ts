import { isKeptId, keptText } from '../../domain/kept-text.ts';
import type { PaymentState } from '../../domain/states.ts';
import type { FindCharge, NamedCharge } from '../psp-event-ports.ts';
import type { DefiniteResult } from './answers/judge-answer.ts';
import type { EngineDeps } from './deps.ts';
import { settleCharge } from './settle-charge.ts';

/** What a person saw in the PSP's own records of a charge whose answer was lost. */
export type SeenResult =
  | { readonly kind: 'succeeded'; readonly pspTransactionId: string }
  | { readonly kind: 'declined'; readonly pspTransactionId?: string }
  | { readonly kind: 'not_made' };

export type SettleByHandOutcome =
  | { readonly kind: 'settled'; readonly status: PaymentState }
  | { readonly kind: 'refused'; readonly because: string }
  | { readonly kind: 'not_found' };

export interface SettleByHandInput {
  readonly merchantId: string;
  readonly idempotencyKey: string;
  readonly seen: SeenResult;
  /** Who saw it where, in words: kept with the decline, and in the audit log. */
  readonly reason: string;
}

/**
 * Settles an unknown charge by what a person saw at the PSP, for those that the PSP's record could
 * not settle in time. Only an unknown one: what is settled stays as it is.
 */
export async function settleByHand(
  deps: Pick<EngineDeps, 'clock' | 'random' | 'payments' | 'merchants' | 'wake'> & {
    readonly findCharge: (input: FindCharge) => Promise<NamedCharge | undefined>;
  },
  input: SettleByHandInput,
): Promise<SettleByHandOutcome> {
  const { merchantId, idempotencyKey } = input;
  const charge = await deps.findCharge({ merchantId, idempotencyKey, now: deps.clock.now() });
  if (charge === undefined) return { kind: 'not_found' };
  const { state } = charge.transaction;
  if (state === 'sending') return refused('The charge is being made just now; look again later.');
  if (state !== 'unknown') return refused(`The charge is settled already: ${state}.`);
  const pspTransactionId = 'pspTransactionId' in input.seen && input.seen.pspTransactionId;
  if (typeof pspTransactionId === 'string' && !isKeptId(pspTransactionId)) {
    return refused('The id of the transaction cannot be one.');
  }
  const recorded = await settleCharge(deps, charge, resultOf(input));
  if (recorded !== 'recorded') return refused('The charge was settled by another just now.');
  const payment = await deps.payments.load(charge);
  return payment === undefined ? { kind: 'not_found' } : { kind: 'settled', status: payment.state };
}

function resultOf({ seen, reason }: SettleByHandInput): DefiniteResult {
  switch (seen.kind) {
    case 'succeeded':
      return seen;
    case 'declined':
      // A person reads no codes off a dashboard: the schedule goes on as after any soft decline.
      return {
        ...seen,
        decline: { category: 'later', code: 'settled_by_operator', message: keptText(reason) },
      };
    case 'not_made':
      return { kind: 'not_made', reason };
  }
}

function refused(because: string): SettleByHandOutcome {
  return { kind: 'refused', because };
}
