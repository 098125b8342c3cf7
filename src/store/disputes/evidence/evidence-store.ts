import type { DisputeDetail } from '../../../disputes/dispute-ports.ts';
import type {
  EvidenceRecords,
  EvidenceStore,
  KnownCharge,
} from '../../../disputes/evidence/evidence-ports.ts';
import type { StatedDetails } from '../../../disputes/evidence/stated-details.ts';
import { addMs, dayMs } from '../../../domain/clock.ts';
import { priorRuleSets } from '../../../domain/disputes/ce3/rule-sets.ts';
import { present } from '../../../domain/present.ts';
import type { Queryable, Statement } from '../../database.ts';
import { showDispute } from '../read-disputes.ts';
import { distinct, findAnalyticsRecords } from './known-analytics.ts';
import { findCardCharges, findKnownCharge, findRenewals } from './known-charges.ts';
import { findDeliveries, findRefunds, findTries } from './known-events.ts';

/** A year and a day before the charge: no network looks at older priors. */
const priorsReachMs = 366 * dayMs;
/** The newest that any network looks at, with the day that has begun. */
const priorsRestMs = (Math.min(...priorRuleSets.map(({ minDays }) => minDays)) - 1) * dayMs;

const about: Statement = {
  name: 'find_evidence_merchant',
  text: `
    select m.name, d.details
    from merchants m
    left join dispute_details d on d.merchant_id = m.merchant_id and d.dispute_id = $2
    where m.merchant_id = $1`,
};

const write: Statement = {
  name: 'write_dispute_details',
  text: `
    with known as materialized (
      select merchant_id, dispute_id from disputes where merchant_id = $1 and dispute_id = $2
    ),
    written as (
      insert into dispute_details (merchant_id, dispute_id, details, updated_at)
      select merchant_id, dispute_id, $3::jsonb, $4 from known
      on conflict (merchant_id, dispute_id) do update
      set details = excluded.details, updated_at = excluded.updated_at
      returning dispute_id
    )
    select 1 from written`,
};

export function createEvidenceStore({ db }: { readonly db: Queryable }): EvidenceStore {
  return {
    read: (input) => readRecords(db, input),
    async state({ merchantId, disputeId, details, at }) {
      const values = [merchantId, disputeId, JSON.stringify(details), at];
      return (await db.query(write, values)).length > 0;
    },
  };
}

/**
 * Charges of the card, the newest first: those that are old enough for some network, and those that are not, which a verdict
 * names where there are no others. A bounded number of each: a card that is charged daily has too many of the latter.
 */
async function findEarlier(
  db: Queryable,
  { merchantId, facts, customerId }: DisputeDetail,
  charge: KnownCharge | undefined,
  until: Date,
): Promise<readonly KnownCharge[]> {
  const card = {
    merchantId,
    paymentMethodId: facts.paymentMethodId ?? charge?.paymentMethodId,
    fingerprint: facts.cardFingerprint ?? charge?.credential,
    customerId: customerId ?? charge?.customerId,
  };
  const restedAt = addMs(until, -priorsRestMs);
  const young = await findCardCharges(db, { ...card, from: restedAt, until });
  const from = addMs(until, -priorsReachMs);
  return [...young, ...(await findCardCharges(db, { ...card, from, until: restedAt }))];
}

async function readRecords(
  db: Queryable,
  { merchantId, disputeId }: { readonly merchantId: string; readonly disputeId: string },
): Promise<EvidenceRecords | undefined> {
  const dispute = await showDispute(db, { merchantId, disputeId });
  if (dispute === undefined) return undefined;
  const { facts, psp } = dispute;
  const [merchant] = await db.query<{ name: string; details: StatedDetails | null }>(about, [
    merchantId,
    disputeId,
  ]);
  const { paymentIds, idempotencyKey } = facts;
  const key = { merchantId, psp, paymentIds, ...present({ idempotencyKey }) };
  const charge = await findKnownCharge(db, key);
  const until = charge?.processedAt ?? facts.chargedAt ?? facts.openedAt;
  const earlier = await findEarlier(db, dispute, charge, until);
  const known = charge === undefined ? earlier : [charge, ...earlier];
  const renewals = await findRenewals(db, {
    merchantId,
    subscriptionIds: distinct([facts.subscriptionId, ...known.map((one) => one.subscriptionId)]),
    customerIds: distinct([dispute.customerId, ...known.map(({ customerId }) => customerId)]),
    until,
  });
  const analyticsRecords = await findAnalyticsRecords(db, {
    merchantId,
    charges: [...known, ...renewals],
    paymentIds,
    networkTransactionId: facts.networkTransactionId,
    subscriptionId: facts.subscriptionId,
    pspCustomerId: facts.pspCustomerId,
    matchedIds:
      dispute.matchState === 'matched' ? dispute.matches.map((match) => match.analyticsId) : [],
  });
  // The PSP may have another name for it than our records of its tries.
  const invoiceId = charge?.invoiceId ?? facts.invoiceId;
  const ofInvoice = invoiceId === undefined ? undefined : { merchantId, invoiceId };
  return {
    dispute,
    merchantName: merchant?.name ?? merchantId,
    details: merchant?.details ?? {},
    earlier,
    renewals,
    analyticsRecords,
    tries: ofInvoice === undefined ? [] : await findTries(db, ofInvoice),
    deliveries: ofInvoice === undefined ? [] : await findDeliveries(db, ofInvoice),
    refunds: await findRefunds(db, {
      ...{ merchantId, psp },
      names: distinct([...paymentIds, charge?.id]),
    }),
    ...present({ charge }),
  };
}
