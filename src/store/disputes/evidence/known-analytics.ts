import type { KnownCharge } from '../../../disputes/evidence/evidence-ports.ts';
import type { AnalyticsIdentifiers } from '../../../domain/disputes/matching/match-score.ts';
import type { Queryable, Statement } from '../../database.ts';
import {
  type AnalyticsIdsRow,
  analyticsIdColumns,
  analyticsIdentifiers,
} from '../analytics-ids.ts';

/** Of each kind: the newest ones; a card's charges in a year have fewer. */
const ofEachKind = 200;

function looked(condition: string): string {
  return `(select ${analyticsIdColumns}
     from analytics
     where merchant_id = $1 and ${condition} and state <> 'erased'
     order by captured_at desc, analytics_id limit ${ofEachKind})`;
}

/** $2 names of charges, $3 networks' ids, $4 invoices, $5 subscriptions, $6 the PSP's customer, $7 their own ids. */
const find: Statement = {
  name: 'find_evidence_analytics',
  text: `
    ${looked('charge_id = any ($2::text[])')}
    union ${looked('transaction_id = any ($2::text[] || $3::text[])')}
    union ${looked('network_transaction_id = any ($3::text[])')}
    union ${looked('invoice_id = any ($4::text[])')}
    union ${looked('subscription_id = any ($5::text[])')}
    union ${looked('customer_id = $6')}
    union ${looked('analytics_id = any ($7::text[])')}`,
};

/**
 * Analytics records that name any of these charges, their subscriptions, or the customer at the
 * PSP, and those that the dispute was matched with, whatever by.
 */
export async function findAnalyticsRecords(
  db: Queryable,
  input: {
    readonly merchantId: string;
    readonly charges: readonly KnownCharge[];
    readonly paymentIds: readonly string[];
    readonly networkTransactionId?: string | undefined;
    readonly subscriptionId?: string | undefined;
    readonly pspCustomerId?: string | undefined;
    readonly matchedIds?: readonly string[];
  },
): Promise<readonly AnalyticsIdentifiers[]> {
  const { charges, paymentIds, networkTransactionId, subscriptionId, pspCustomerId } = input;
  const { matchedIds = [] } = input;
  const rows = await db.query<AnalyticsIdsRow>(find, [
    input.merchantId,
    distinct([...paymentIds, ...charges.flatMap(({ id, otherId }) => [id, otherId])]),
    distinct([networkTransactionId, ...charges.map((charge) => charge.networkTransactionId)]),
    distinct(charges.map(({ invoiceId }) => invoiceId)),
    distinct([subscriptionId, ...charges.map((charge) => charge.subscriptionId)]),
    pspCustomerId,
    matchedIds,
  ]);
  return rows.map(analyticsIdentifiers);
}

export function distinct(values: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}
