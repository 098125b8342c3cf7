import { type AnalyticsField, analyticsFields } from '../domain/analytics/analytics.ts';
import { type EvidenceGap, gapsOf, maturesAt } from '../domain/analytics/evidence.ts';
import { addMs, type Clock, dayMs } from '../domain/clock.ts';
import { type Maturity, priorsMatureAt } from '../domain/disputes/ce3/priors-mature-at.ts';
import { visaCe3 } from '../domain/disputes/ce3/rule-sets.ts';
import type { AnalyticsMatches, MatchStore } from './dispute-ports.ts';
import type { AnalyticsRecord, AnalyticsStore } from './ports.ts';

/** An analytics record as its merchant may see it: which fields are there, never what they say. */
export interface AnalyticsView extends AnalyticsRecord {
  /** The fields that are kept, in the order of the request. */
  readonly fields: readonly AnalyticsField[];
  readonly missingForEvidence: readonly EvidenceGap[];
  readonly matureAt: Date;
  readonly matches: AnalyticsMatches;
  /** When it and like charges are old enough to speak for a later one. */
  readonly priors: Maturity;
}

/** One analytics record of the merchant; undefined where it has none by this id. */
export async function showAnalytics(
  deps: {
    readonly analytics: Pick<AnalyticsStore, 'find'>;
    readonly matches: Pick<MatchStore, 'findOfAnalytics' | 'findPriorsOfAnalytics'>;
    readonly clock: Clock;
  },
  input: { readonly merchantId: string; readonly analyticsId: string },
): Promise<AnalyticsView | undefined> {
  const record = await deps.analytics.find(input);
  if (record === undefined) return undefined;
  const now = deps.clock.now();
  const since = addMs(now, -(visaCe3.maxDays + 1) * dayMs);
  const chargedAt = await deps.matches.findPriorsOfAnalytics({ ...input, since });
  return {
    ...record,
    priors: priorsMatureAt({ ruleSet: visaCe3, chargedAt, now }),
    fields: fieldsOf(record),
    missingForEvidence: gapsOf(record),
    matureAt: maturesAt(record.capturedAt),
    matches: await deps.matches.findOfAnalytics(input),
  };
}

function fieldsOf(record: AnalyticsRecord): readonly AnalyticsField[] {
  const kept = new Set<AnalyticsField>(['psp', ...record.ids]);
  if (record.state !== 'erased') kept.add('customer_email').add('ipv4_address');
  if (record.hasUserAgent) kept.add('user_agent');
  return analyticsFields.filter((field) => kept.has(field));
}
