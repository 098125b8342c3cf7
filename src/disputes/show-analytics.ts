import { type AnalyticsField, analyticsFields } from '../domain/analytics/analytics.ts';
import { type EvidenceGap, gapsOf, maturesAt } from '../domain/analytics/evidence.ts';
import type { AnalyticsRecord, AnalyticsStore } from './ports.ts';

/** A capture as its merchant may see it: which fields are there, never what they say. */
export interface AnalyticsView extends AnalyticsRecord {
  /** The fields that are kept, in the order of the request. */
  readonly fields: readonly AnalyticsField[];
  readonly missingForEvidence: readonly EvidenceGap[];
  readonly matureAt: Date;
}

/** One capture of the merchant; undefined where it has none by this id. */
export async function showAnalytics(
  deps: { readonly analytics: Pick<AnalyticsStore, 'find'> },
  input: { readonly merchantId: string; readonly analyticsId: string },
): Promise<AnalyticsView | undefined> {
  const record = await deps.analytics.find(input);
  if (record === undefined) return undefined;
  return {
    ...record,
    fields: fieldsOf(record),
    missingForEvidence: gapsOf(record),
    matureAt: maturesAt(record.capturedAt),
  };
}

function fieldsOf(record: AnalyticsRecord): readonly AnalyticsField[] {
  const kept = new Set<AnalyticsField>(['psp', ...record.ids]);
  if (record.state !== 'erased') kept.add('customer_email').add('ipv4_address');
  if (record.hasUserAgent) kept.add('user_agent');
  return analyticsFields.filter((field) => kept.has(field));
}
