import type { ChargedCard } from '../../domain/network-rules/card-attempt.ts';
import { type Fields, textOf } from '../answer-fields.ts';
import { chargedCard } from '../charged-card.ts';

/**
 * The card of an answer or a webhook, as far as the account's settings let Adyen tell it (Developers,
 * Additional data). The alias stands for the card's number; the payment account reference, which the
 * network gives, for the account behind it. The alias comes first: Adyen makes it of the number
 * itself, so it is there with every answer or with none. Source: docs.adyen.com,
 * unified-commerce/collect-data.
 */
export function cardOf(data: Fields, scheme?: string): { readonly card?: ChargedCard } {
  const alias = textOf(data.alias);
  const account = textOf(data.PaymentAccountReference) ?? textOf(data.paymentAccountReference);
  const isCardAlias = alias !== undefined && (data.aliasType ?? 'Default') === 'Default';
  return chargedCard({
    fingerprint: isCardAlias ? `alias:${alias}` : account && `par:${account}`,
    scheme: textOf(data.cardScheme) ?? textOf(data.paymentMethod) ?? scheme,
  });
}
