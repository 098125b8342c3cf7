import type { Clock } from '../../domain/clock.ts';
import { hourMs } from '../../domain/clock.ts';
import { textOf } from '../answer-fields.ts';
import type { BraintreeClient } from './client.ts';
import type { BraintreeAccount } from './credentials.ts';
import { reasonOf } from './map.ts';

/** How long the default account's currency is believed; a business changes it hardly ever. */
const defaultMs = hourMs;

/** The merchant account for a charge; without an id it is Braintree's default account. */
export type MerchantAccountChoice =
  | { readonly kind: 'chosen'; readonly merchantAccountId?: string }
  | { readonly kind: 'none'; readonly reason: string };

/**
 * Chooses the merchant account of a currency. A sale at Braintree names no currency: the merchant
 * account has one, and 500 yen sent to an account in dollars are 500 dollars. So a currency that
 * the merchant did not name goes to the default account only once that is known to be in it.
 */
export function createMerchantAccounts(
  deps: { readonly client: BraintreeClient; readonly clock: Clock },
  account: BraintreeAccount,
): (currency: string, deadline: AbortSignal) => Promise<MerchantAccountChoice> {
  let known: { readonly currency: string; readonly untilMs: number } | undefined;

  async function defaultCurrency(
    deadline: AbortSignal,
  ): Promise<{ currency: string } | { reason: string }> {
    const nowMs = deps.clock.now().getTime();
    if (known !== undefined && nowMs < known.untilMs) return known;
    const sent = await deps.client.merchantAccounts(deadline);
    if (sent.kind !== 'answered') return { reason: reasonOf(sent) };
    const currency = textOf(sent.value.find((item) => item.default === true)?.currencyIsoCode);
    if (currency === undefined) return { reason: 'there is no default merchant account' };
    known = { currency, untilMs: nowMs + defaultMs };
    return known;
  }

  return async (currency, deadline) => {
    const named = account.merchantAccounts.get(currency);
    if (named !== undefined) return { kind: 'chosen', merchantAccountId: named };
    const found = await defaultCurrency(deadline);
    if ('reason' in found) {
      const reason = `the default account's currency could not be read: ${found.reason}`;
      return { kind: 'none', reason };
    }
    if (found.currency === currency) return { kind: 'chosen' };
    const reason = `no merchant account for ${currency}: name one in merchant_account_ids`;
    return { kind: 'none', reason };
  };
}
