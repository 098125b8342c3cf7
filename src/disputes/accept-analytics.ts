import { checkAnalytics } from '../domain/analytics/check-analytics.ts';
import type { DomainNames } from '../domain/analytics/check-email.ts';
import { isPublicIpv4 } from '../domain/analytics/ipv4.ts';
import type { ValidationItem } from '../domain/analytics/validation-item.ts';
import type { Clock } from '../domain/clock.ts';
import type { Json } from '../domain/payment.ts';
import type { AnalyticsStore } from './ports.ts';

export interface AcceptAnalyticsDeps {
  readonly analytics: Pick<AnalyticsStore, 'append'>;
  readonly domainNames: DomainNames;
  readonly clock: Clock;
}

export type Acceptance =
  | { readonly kind: 'accepted'; readonly analyticsId: string }
  | { readonly kind: 'invalid'; readonly detail: readonly ValidationItem[] };

/**
 * Ingests what a checkout captured. It resolves when the analytics record is durable; the same
 * analytics record again is the one that is there.
 */
export async function acceptAnalytics(
  deps: AcceptAnalyticsDeps,
  input: { readonly merchantId: string; readonly body: Json },
): Promise<Acceptance> {
  const check = checkAnalytics(input.body, deps.domainNames);
  if (check.kind === 'invalid') return check;
  const { analytics } = check;
  const analyticsId = await deps.analytics.append({
    merchantId: input.merchantId,
    analytics,
    hasPublicIp: isPublicIpv4(analytics.ipv4Address),
    capturedAt: deps.clock.now(),
  });
  return { kind: 'accepted', analyticsId };
}
