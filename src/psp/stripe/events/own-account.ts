import { fieldsOf, idOf } from '../../answer-fields.ts';
import type { StripeClient } from '../client.ts';
import { failureReason } from '../failures.ts';

/** `withheld`: a restricted key may not read whose it is. */
export type OwnAccount =
  | { readonly kind: 'known'; readonly id: string }
  | { readonly kind: 'withheld' }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Asks Stripe once whose key this is: neither the key nor the connection says it. */
export function createOwnAccount(
  client: StripeClient,
  timeoutMs: number,
): () => Promise<OwnAccount> {
  let said: OwnAccount | undefined;
  return async () => {
    if (said !== undefined) return said;
    const read = await client.ask(timeoutMs, (stripe, options) =>
      stripe.accounts.retrieveCurrent({}, options),
    );
    const id = read.kind === 'answered' ? idOf(fieldsOf(read.value)?.id) : undefined;
    if (id !== undefined) said = { kind: 'known', id };
    else if (read.kind === 'refused' && read.status === 403) said = { kind: 'withheld' };
    else if (read.kind !== 'answered') return { kind: 'unavailable', reason: failureReason(read) };
    return said ?? { kind: 'unavailable', reason: 'Stripe did not say whose key this is' };
  };
}
