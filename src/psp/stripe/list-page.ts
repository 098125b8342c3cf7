import type Stripe from 'stripe';
import { type Fields, fieldsOf } from '../answer-fields.ts';
import type { Answer } from './client.ts';
import { failureReason } from './failures.ts';
import { itemsOf } from './fields.ts';

export type Page =
  | { readonly kind: 'page'; readonly items: readonly Fields[]; readonly hasMore: boolean }
  | { readonly kind: 'unknown'; readonly reason: string };

/** A page of a list; one that does not look like a list tells nothing. */
export function pageOf(
  read: Answer<Stripe.ApiList<unknown> | Stripe.ApiSearchResult<unknown>>,
): Page {
  if (read.kind !== 'answered') return { kind: 'unknown', reason: failureReason(read) };
  const list = fieldsOf(read.value);
  if (!Array.isArray(list?.data) || typeof list.has_more !== 'boolean') {
    return { kind: 'unknown', reason: 'Stripe gave an answer that cannot be understood' };
  }
  return { kind: 'page', items: itemsOf(list), hasMore: list.has_more };
}
