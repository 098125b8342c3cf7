import type { EventTypeJson } from '../api/generated/webhook-endpoints.ts';

/** What webhooks are about. */
export const eventTypes = [
  'retry_result',
  'end_of_dunning',
  'incident',
  'customer_action_required',
  'customer_action_resolved',
] as const satisfies EventTypeJson[];
