import { addMs, dayMs } from '../../src/domain/clock.ts';
import type { AnalyticsWorld } from './analytics-world.ts';

/** A chargeback of 49 EUR that a merchant reports, due in ten days; its id. */
export async function reportDispute(
  world: AnalyticsWorld,
  fields: {
    readonly psp: string;
    readonly psp_dispute_id: string;
    readonly [name: string]: unknown;
  },
): Promise<string> {
  const now = world.clock.now();
  const { status, text } = await world.call('POST', '/v1/disputes', {
    kind: 'dispute',
    stage: 'chargeback',
    status: 'needs_response',
    occurred_at: now.toISOString(),
    opened_at: now.toISOString(),
    respond_by: addMs(now, 10 * dayMs).toISOString(),
    amount: 49,
    currency: 'EUR',
    ...fields,
  });
  if (status !== 200) throw new Error(text);
  return JSON.parse(text).id;
}
