import { Agent } from 'undici';
import { post, signatureHeaders, webhookBody } from '../kit/bare-calls.ts';
import { serve } from '../kit/serve.ts';

/**
 * The floor of a webhook: its POST by a plain loop, with a body as long, the same headers, connections and number
 * under way, and nothing else: no database, no signing, no judgement of the answer beyond its status.
 */
export interface BareWebhooksInput {
  readonly urls: readonly string[];
  /** Under way at once, in all and to one server. */
  readonly concurrency: number;
  readonly perServer: number;
}

let input: BareWebhooksInput | undefined;
let agent: Agent | undefined;

const calls = {
  async start(given: BareWebhooksInput) {
    input = given;
    agent = new Agent({ connections: given.perServer, allowH2: false });
  },
  async run({ webhooks }: { readonly webhooks: number }) {
    if (input === undefined || agent === undefined) throw new Error('start comes first');
    const { urls, concurrency, perServer } = input;
    const client = agent;
    let next = 0;
    const loop = async (): Promise<void> => {
      for (let n = next++; n < webhooks; n = next++) {
        const origin = urls[n % urls.length] ?? '';
        await post(
          { agent: client, origin },
          { path: '/webhooks/retry-results', headers: signatureHeaders, body: webhookBody },
        );
      }
    };
    const loops = Math.min(concurrency, perServer * urls.length);
    await Promise.all(Array.from({ length: loops }, loop));
  },
};
export type BareWebhooksCalls = typeof calls;

serve(calls, async () => {
  await agent?.close();
});
