import { present } from '../../domain/present.ts';
import type { DeliveryState } from '../../domain/states.ts';
import type { DeliveryView } from '../../recovery/api.ts';

/** Select list of a delivery, for aliases `e` (events) and `d` (deliveries). */
export const deliveryColumns = `e.event_id, e.type, d.state, d.tries, d.next_attempt_at,
  d.delivered_at, d.last_status, d.last_error`;

export interface DeliveryRow {
  readonly event_id: string;
  readonly type: string;
  readonly state: DeliveryState;
  readonly tries: number;
  readonly next_attempt_at: Date | null;
  readonly delivered_at: Date | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
}

export function toDeliveryView(row: DeliveryRow): DeliveryView {
  return {
    eventId: row.event_id,
    type: row.type,
    status: row.state,
    tries: row.tries,
    ...present({
      nextAttemptAt: row.next_attempt_at ?? undefined,
      deliveredAt: row.delivered_at ?? undefined,
      lastStatus: row.last_status ?? undefined,
      lastError: row.last_error ?? undefined,
    }),
  };
}
