/** The names of a merchant's accounts at Stripe: the one that it begins with, and the one that it may move to. */
export function stripeAccountsOf(merchant: number): readonly string[] {
  return [`acct${merchant + 1}A`, `acct${merchant + 1}B`];
}

/** Where the merchant of an account moves to; undefined from its last one. */
export function accountAfter(account: string): string | undefined {
  return account.endsWith('A') ? `${account.slice(0, -1)}B` : undefined;
}
