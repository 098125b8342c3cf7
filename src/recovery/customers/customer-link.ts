import { secondMs } from '../../domain/clock.ts';
import { tokenPlace } from '../../domain/customers/customer-page-url.ts';
import type { SignedTokens } from './signed-token.ts';

/** What a link names: a payment, until its window ends. */
export interface CustomerLink {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly endsAt: Date;
}

/** The token of a link, which goes into the merchant's address. */
export type SignCustomerLink = (link: CustomerLink) => string;

/** What a token is: to nobody but its merchant anything else than foreign. */
export type ReadLink =
  | { readonly kind: 'link'; readonly link: CustomerLink }
  | { readonly kind: 'bad' }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'ended'; readonly endedAt: Date };

export function signCustomerLink(tokens: Pick<SignedTokens, 'sign'>): SignCustomerLink {
  return ({ merchantId, invoiceId, endsAt }) =>
    tokens.sign(merchantId, [invoiceId, secondsOf(endsAt).toString()]);
}

/** Reads a token for the merchant who shows it. */
export function readCustomerLink(
  tokens: Pick<SignedTokens, 'read'>,
  input: { readonly merchantId: string; readonly token: string; readonly now: Date },
): ReadLink {
  const read = tokens.read(input.token);
  const [invoiceId, seconds] = read?.parts ?? [];
  if (read === undefined || invoiceId === undefined || seconds === undefined) {
    return { kind: 'bad' };
  }
  if (read.merchantId !== input.merchantId) return { kind: 'foreign' };
  const endsAt = new Date(Number(seconds) * secondMs);
  if (endsAt.getTime() <= input.now.getTime()) return { kind: 'ended', endedAt: endsAt };
  return { kind: 'link', link: { merchantId: read.merchantId, invoiceId, endsAt } };
}

/** The merchant's page for one customer. */
export function customerPageUrl(page: string, token: string): string {
  return page.replace(tokenPlace, () => token);
}

/** Whole seconds, rounded up: a link ends no sooner than its window. */
function secondsOf(at: Date): number {
  return Math.ceil(at.getTime() / secondMs);
}
