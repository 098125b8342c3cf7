import type { ChargeResult, PspGateway, ToldCharge } from '../../psp-ports.ts';
import type { AnsweredCharge } from './answer-ports.ts';

/** An answer that says what became of a charge. */
export type DefiniteResult = Exclude<ChargeResult, { kind: 'unknown' }>;

/** What a definite answer means for a charge as it stands. */
export type Verdict =
  /** The charge is open: the answer resolves it as any other does. */
  | { readonly kind: 'resolves' }
  /** It says what is recorded, or nothing that matters any more. */
  | { readonly kind: 'says_nothing_new' }
  /** It was taken for never made, and was made. */
  | { readonly kind: 'late' }
  /** A success beside another one of the same debt. */
  | { readonly kind: 'second_success' }
  /** The opposite of what is recorded. */
  | { readonly kind: 'contradiction' }
  /** The PSP made another charge than the one that was sent. */
  | { readonly kind: 'differs'; readonly in: 'amount' | 'mode' };

export function judgeAnswer(
  charge: AnsweredCharge,
  result: DefiniteResult,
  isLive?: boolean,
): Verdict {
  const { state } = charge.transaction;
  if (result.kind === 'not_made' || result.kind === 'paid_elsewhere') {
    return isOpen(state) ? { kind: 'resolves' } : { kind: 'says_nothing_new' };
  }
  const differs = whatDiffers(charge, result.told, isLive);
  if (differs !== undefined) return { kind: 'differs', in: differs };
  if (state === result.kind) return { kind: 'says_nothing_new' };
  if (state === 'succeeded') return { kind: 'contradiction' };
  if (result.kind === 'succeeded' && charge.otherSuccess !== undefined) {
    return { kind: 'second_success' };
  }
  if (isOpen(state)) return { kind: 'resolves' };
  return state === 'not_made' ? { kind: 'late' } : { kind: 'contradiction' };
}

/** What the PSP says of the charge that is not what was sent. */
export function whatDiffers(
  { transaction }: Pick<AnsweredCharge, 'transaction'>,
  told: ToldCharge | undefined,
  isLive: boolean | undefined,
): 'amount' | 'mode' | undefined {
  if (told === undefined) return undefined;
  const { amountMinor = transaction.amountMinor, currency = transaction.currency } = told;
  if (amountMinor !== transaction.amountMinor || currency !== transaction.currency) return 'amount';
  const isOfOtherMode = told.isLive !== undefined && isLive !== undefined && told.isLive !== isLive;
  return isOfOtherMode ? 'mode' : undefined;
}

function isOpen(state: AnsweredCharge['transaction']['state']): boolean {
  return state === 'sending' || state === 'unknown';
}

/** Whether real money moves at a gateway's account, to be spread into what is judged. */
export function modeOf(gateway: Pick<PspGateway, 'connection'>): { readonly isLive?: boolean } {
  const mode = gateway.connection?.mode ?? 'unknown';
  return mode === 'unknown' ? {} : { isLive: mode === 'live' };
}
