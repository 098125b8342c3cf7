import type { MerchantAuth } from '../../domain/merchant.ts';
import { present } from '../../domain/present.ts';
import type { EventType } from '../../domain/states.ts';
import type { PausedBy } from '../../domain/webhooks/endpoint-pause.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';

/** Of an endpoint `e`. */
export const endpointColumns = `e.merchant_id, e.endpoint_id, e.url, e.event_types, e.quick_sends,
  e.auth_type, e.header_names, e.pause_after_days, e.paused_at, e.paused_by, e.created_at, e.updated_at`;

export interface EndpointRow {
  readonly merchant_id: string;
  readonly endpoint_id: string;
  readonly url: string;
  readonly event_types: EventType[];
  readonly quick_sends: boolean;
  readonly auth_type: MerchantAuth['type'];
  readonly header_names: string[];
  readonly pause_after_days: number | null;
  readonly paused_at: Date | null;
  readonly paused_by: PausedBy | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export function toEndpoint(row: EndpointRow): WebhookEndpoint {
  const { paused_at: at, paused_by: by } = row;
  return {
    merchantId: row.merchant_id,
    endpointId: row.endpoint_id,
    url: row.url,
    eventTypes: row.event_types,
    quickSends: row.quick_sends,
    authType: row.auth_type,
    headerNames: row.header_names,
    ...present({ pauseAfterDays: row.pause_after_days ?? undefined }),
    ...(at !== null && by !== null && { pause: { at, by } }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
