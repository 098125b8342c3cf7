import type { EndedNotice, NoticeEnd } from '../../recovery/card-notices/card-notice-events.ts';

export interface EndedNoticeRow {
  readonly merchant_id: string;
  readonly customer_id: string;
  readonly subscription_id: string;
  readonly payment_method_id: string;
  readonly card_ends_at: Date;
  readonly resolved_by: NoticeEnd | null;
}

export function endedColumns(n: string): string {
  return `${n}.merchant_id, ${n}.customer_id, ${n}.subscription_id, ${n}.payment_method_id,
    ${n}.card_ends_at, ${n}.resolved_by`;
}

export function toEndedNotice(row: EndedNoticeRow): EndedNotice {
  return {
    merchantId: row.merchant_id,
    customerId: row.customer_id,
    subscriptionId: row.subscription_id,
    paymentMethodId: row.payment_method_id,
    cardEndsAt: row.card_ends_at,
    resolvedBy: row.resolved_by ?? 'window_ended',
  };
}
