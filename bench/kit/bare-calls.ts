import type { Agent, Pool } from 'undici';

/** What our calls to merchants carry, without a judgement of the answers. */
export const merchantHeaders = {
  'x-api-key': 'bench_api_key',
  'content-type': 'application/json',
  accept: 'application/json',
  'accept-encoding': 'identity',
  'user-agent': 'Recoup',
};
/** As long as those of a signed webhook. */
export const signatureHeaders = {
  ...merchantHeaders,
  'X-Service-Webhook-Type': 'retry_result',
  'X-Service-Webhook-Expiration': '1900000000',
  'X-Service-Webhook-Signature': '0'.repeat(64),
  'X-Service-Webhook-Deduplication-ID': '0'.repeat(32),
  'webhook-id': `evt_${'0'.repeat(24)}`,
  'webhook-timestamp': '1900000000',
  'webhook-signature': `v1,${'0'.repeat(44)}`,
};

/** As long as the report of an attempt. */
export const webhookBody = JSON.stringify({ recovered: true, custom: { note: 'x'.repeat(560) } });

export interface BareCall {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Where a call goes: by an agent to any origin, by a pool to its own. */
export type BareWay = { readonly agent: Agent; readonly origin: string } | { readonly pool: Pool };

/** A POST and its answer as JSON; throws for any other status than 200. */
export async function post(way: BareWay, call: BareCall): Promise<unknown> {
  const options = { ...call, method: 'POST' as const };
  const answer =
    'pool' in way
      ? await way.pool.request(options)
      : await way.agent.request({ ...options, origin: way.origin });
  if (answer.statusCode !== 200) throw new Error(`${call.path} answered ${answer.statusCode}`);
  return answer.body.json();
}
