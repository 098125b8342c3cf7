import type { PaymentSummaryJson } from '../api/generated/payments.ts';
import { Time } from './time.tsx';

/** When a payment is tried next, or why it is not. */
export function NextTry(row: PaymentSummaryJson) {
  const { next_attempt_at: at, held_by: hold } = row;
  if (at !== undefined && hold === undefined) return <Time at={at} />;
  return <span className="muted">{whyNone(row)}</span>;
}

function whyNone({
  stop_reason: reason,
  waiting_for: wait,
  held_by: hold,
}: PaymentSummaryJson): string {
  if (hold === 'incident') return 'frozen by an incident';
  if (hold === 'set_aside') return 'set aside';
  if (wait === 'customer') return 'needs a new payment method';
  return reason?.replaceAll('_', ' ') ?? 'none';
}
