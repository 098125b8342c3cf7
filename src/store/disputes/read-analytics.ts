import type { AnalyticsRecord, Reader } from '../../disputes/ports.ts';
import {
  type AnalyticsState,
  type IdField,
  idFields,
  type PersonalData,
} from '../../domain/analytics/analytics.ts';
import { AppError } from '../../domain/errors.ts';
import type { Psp } from '../../domain/psps.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { type AnalyticsKey, openPersonalData, subjectPlace } from './personal-data.ts';

const find: Statement = {
  name: 'find_analytics',
  text: `
    select analytics_id, state, psp, captured_at, customer_id, invoice_id, subscription_id, charge_id,
           transaction_id, network_transaction_id, has_user_agent, has_public_ip, legal_hold
    from analytics where merchant_id = $1 and analytics_id = $2`,
};

interface AnalyticsRow extends Readonly<Record<IdField, string | null>> {
  readonly analytics_id: string;
  readonly state: AnalyticsState;
  readonly psp: Psp;
  readonly captured_at: Date;
  readonly has_user_agent: boolean;
  readonly has_public_ip: boolean;
  readonly legal_hold: boolean;
}

/** One analytics record without its personal data. */
export async function findAnalytics(
  db: Queryable,
  { merchantId, analyticsId }: AnalyticsKey,
): Promise<AnalyticsRecord | undefined> {
  const [row] = await db.query<AnalyticsRow>(find, [merchantId, analyticsId]);
  if (row === undefined) return undefined;
  return {
    analyticsId: row.analytics_id,
    state: row.state,
    psp: row.psp,
    capturedAt: row.captured_at,
    ids: idFields.filter((field) => row[field] !== null),
    hasUserAgent: row.has_user_agent,
    hasPublicIp: row.has_public_ip,
    isHeld: row.legal_hold,
  };
}

const findSealed: Statement = {
  name: 'find_sealed_analytics',
  text: `
    select a.sealed, s.subject_id, s.sealed_key, s.key_version, k.wrapped_key
    from analytics a
    join analytics_subjects s on s.merchant_id = a.merchant_id and s.subject_id = a.subject_id
    join data_keys k on k.merchant_id = s.merchant_id and k.version = s.key_version
    where a.merchant_id = $1 and a.analytics_id = $2 and a.sealed is not null`,
};

interface SealedRow {
  readonly sealed: Buffer;
  readonly subject_id: string;
  readonly sealed_key: Buffer;
  readonly key_version: number;
  readonly wrapped_key: Buffer;
}

/**
 * Opens one analytics record's personal data. The line of the audit log is committed with the read:
 * nobody reads without one.
 *
 * @throws AppError encryption_key_wrong where the key is another or the data was changed
 */
export async function readPersonalData(
  deps: { readonly db: Database; readonly sealer: Sealer },
  input: AnalyticsKey & { readonly reader: Reader; readonly at: Date },
): Promise<PersonalData | undefined> {
  const { merchantId, analyticsId, reader, at } = input;
  const row = await deps.db.transaction(async (tx) => {
    const [found] = await tx.query<SealedRow>(findSealed, [merchantId, analyticsId]);
    if (found === undefined) return undefined;
    const detail = { analytics_id: analyticsId, reason: reader.reason };
    await appendAudit(tx, merchantId, { action: 'analytics.read', detail, at }, reader.actor);
    return found;
  });
  if (row === undefined) return undefined;
  const dataKey = { version: row.key_version, wrappedKey: row.wrapped_key };
  const place = subjectPlace(merchantId, row.subject_id);
  const key = await deps.sealer.openBytes(place, dataKey, row.sealed_key);
  const data = openPersonalData({ id: { merchantId, analyticsId }, key, sealed: row.sealed });
  if (data !== undefined) return data;
  throw new AppError('encryption_key_wrong', `The analytics record ${analyticsId} does not open.`);
}
