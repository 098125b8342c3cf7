import { dayMs } from '../../domain/clock.ts';
import type { KnownCharge } from './evidence-ports.ts';

/** A start is often told as a day, in the merchant's zone. */
const nearMs = 2 * dayMs;

/**
 * Whether a charge was made when its subscription began. Recoup's records of a subscription often begin later: the
 * first charge that they have is a renewal then. Undefined where no report told the start.
 */
export function isAtStart({
  processedAt,
  subscriptionBegunAt,
}: Pick<KnownCharge, 'processedAt' | 'subscriptionBegunAt'>): boolean | undefined {
  if (subscriptionBegunAt === undefined) return undefined;
  return processedAt.getTime() <= subscriptionBegunAt.getTime() + nearMs;
}
