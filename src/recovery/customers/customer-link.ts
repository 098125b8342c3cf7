import { secondMs } from '../../domain/clock.ts';
import { tokenPlace } from '../../domain/customers/customer-page-url.ts';
import type { SignedTokens } from './signed-token.ts';

/** What a link names: a payment, until its window ends. */
export interface CustomerLink {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly endsAt: Date;
}

/** What a link of a message about a card names: the card and its last month, until it is charged again. */
export interface CardLink {
  readonly merchantId: string;
  readonly paymentMethodId: string;
  readonly cardEndsAt: Date;
  readonly endsAt: Date;
}

/** The token of a link, which goes into the merchant's address. */
export type SignCustomerLink = (link: CustomerLink) => string;
export type SignCardLink = (link: CardLink) => string;

/** What a token is: to nobody but its merchant anything else than foreign. */
export type ReadLink =
  | { readonly kind: 'link'; readonly link: CustomerLink }
  | { readonly kind: 'card_link'; readonly link: CardLink }
  | { readonly kind: 'bad' }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'ended'; readonly endedAt: Date };

export function signCustomerLink(tokens: Pick<SignedTokens, 'sign'>): SignCustomerLink {
  return ({ merchantId, invoiceId, endsAt }) =>
    tokens.sign(merchantId, [invoiceId, secondsOf(endsAt).toString()]);
}

/** The first of a card's parts: those of a payment are two, and these are four. */
const ofCard = 'card';

export function signCardLink(tokens: Pick<SignedTokens, 'sign'>): SignCardLink {
  return ({ merchantId, paymentMethodId, cardEndsAt, endsAt }) => {
    const times = [secondsOf(cardEndsAt).toString(), secondsOf(endsAt).toString()];
    return tokens.sign(merchantId, [ofCard, paymentMethodId, ...times]);
  };
}

/** Reads a token for the merchant who shows it. */
export function readCustomerLink(
  tokens: Pick<SignedTokens, 'read'>,
  input: { readonly merchantId: string; readonly token: string; readonly now: Date },
): ReadLink {
  const read = tokens.read(input.token);
  const parts = read?.parts ?? [];
  const seconds = parts.at(-1);
  if (read === undefined || seconds === undefined) return { kind: 'bad' };
  const { merchantId } = read;
  if (merchantId !== input.merchantId) return { kind: 'foreign' };
  const endsAt = timeOf(seconds);
  if (endsAt.getTime() <= input.now.getTime()) return { kind: 'ended', endedAt: endsAt };
  if (parts.length === 2) {
    return { kind: 'link', link: { merchantId, invoiceId: parts[0] ?? '', endsAt } };
  }
  const [kind, paymentMethodId, cardEnds] = parts;
  if (kind !== ofCard || paymentMethodId === undefined || cardEnds === undefined) {
    return { kind: 'bad' };
  }
  const cardEndsAt = timeOf(cardEnds);
  return { kind: 'card_link', link: { merchantId, paymentMethodId, cardEndsAt, endsAt } };
}

/** The merchant's page for one customer. */
export function customerPageUrl(page: string, token: string): string {
  return page.replace(tokenPlace, () => token);
}

function timeOf(seconds: string): Date {
  return new Date(Number(seconds) * secondMs);
}

/** Whole seconds, rounded up: a link ends no sooner than its window. */
function secondsOf(at: Date): number {
  return Math.ceil(at.getTime() / secondMs);
}
