import type { Clock } from '../domain/clock.ts';
import type { AnalyticsStore, ErasureOutcome } from './ports.ts';

/**
 * Erases a customer: the keys that open their analytics records are destroyed, and so are the indexes
 * that find them. Analytics records without their customer id that carry their e-mail address are theirs
 * too. A repetition gives the same proof, unless analytics records came in between.
 */
export async function eraseCustomer(
  deps: { readonly analytics: Pick<AnalyticsStore, 'eraseCustomer'>; readonly clock: Clock },
  input: { readonly merchantId: string; readonly customerId: string },
): Promise<ErasureOutcome> {
  return deps.analytics.eraseCustomer({ ...input, at: deps.clock.now() });
}
