import type { PaymentSummaryJson } from '../api/generated/payments.ts';
import { Time } from './time.tsx';

/** When a payment is tried next, or why it is not. */
export function NextTry(row: PaymentSummaryJson) {
  const { next_attempt_at: at, stop_reason: reason, waiting_for: wait } = row;
  if (at !== undefined) return <Time at={at} />;
  const none = reason?.replaceAll('_', ' ') ?? 'none';
  const words = wait === 'customer' ? 'needs a new payment method' : none;
  return <span className="muted">{words}</span>;
}
