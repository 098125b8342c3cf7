import { cardNetworkOf } from '../domain/declines/card-network.ts';
import type { ChargedCard } from '../domain/network-rules/card-attempt.ts';
import { present } from '../domain/present.ts';
import { isStorableId } from '../domain/truncated-text.ts';
import { textOf } from './answer-fields.ts';

/**
 * The card of an answer, to be spread into a result: nothing where it tells nothing of one. A
 * fingerprint that cannot be kept is left out. `isToken`: whether a network token was charged.
 */
export function chargedCard(said: {
  readonly fingerprint?: unknown;
  readonly scheme?: unknown;
  readonly isToken?: unknown;
}): { readonly card?: ChargedCard } {
  const fingerprint = textOf(said.fingerprint);
  const network = cardNetworkOf(textOf(said.scheme) ?? '');
  const { isToken } = said;
  const card: ChargedCard = {
    ...(fingerprint !== undefined && isStorableId(fingerprint) && { fingerprint }),
    ...present({ network }),
    ...(typeof isToken === 'boolean' && { credentialForm: isToken ? 'token' : 'pan' }),
  };
  return Object.keys(card).length === 0 ? {} : { card };
}
