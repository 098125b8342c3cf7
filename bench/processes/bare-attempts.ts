import { Agent, Pool } from 'undici';
import { merchantHeaders, post, signatureHeaders } from '../kit/bare-calls.ts';
import { serve } from '../kit/serve.ts';

/**
 * The floor of an attempt: its three HTTP calls by a plain loop, with the same bodies, headers,
 * connections and number under way, and nothing else: no database, no signing, no judgement of the
 * answers beyond reading them.
 */
export interface BareInput {
  readonly merchantUrls: readonly string[];
  readonly pspUrl: string;
  readonly pspApiKey: string;
  readonly perMerchant: number;
}

let input: BareInput | undefined;
let lookups: Agent | undefined;
let webhooks: Agent | undefined;
let psp: Pool | undefined;
let run = 0;

async function attempt(to: BareInput, origin: string, n: number): Promise<void> {
  const invoice = `in_${run}_${n}`;
  const path = `/retry/${invoice}`;
  const custom = { plan: 'gold' };
  const body = JSON.stringify({ custom });
  if (lookups === undefined || webhooks === undefined || psp === undefined)
    throw new Error('start');
  await post({ agent: lookups, origin }, { path, headers: merchantHeaders, body });
  const key = `att_${'0'.repeat(18)}${run}${n}-1`;
  const charge = (await post(
    { pool: psp },
    {
      path: '/v1/charges',
      headers: {
        authorization: `Bearer ${to.pspApiKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({
        merchant: `mer_${'0'.repeat(24)}`,
        invoice,
        amount: 4250,
        currency: 'USD',
        payment_method: `pm_sandbox_success--${n}`,
      }),
    },
  )) as { readonly id: string; readonly network_transaction_id: string };
  await post(
    { agent: webhooks, origin },
    {
      path: '/webhooks/retry-results',
      headers: signatureHeaders,
      body: JSON.stringify({
        timestamp: new Date().toISOString(),
        service_id: `att_${'0'.repeat(24)}`,
        customer_id: `cus_${n}`,
        subscription_id: `sub_${n}`,
        invoice_id: invoice,
        transaction_id: `tx_${n}`,
        original_psp_transaction_id: `ch_${n}`,
        psp_transactions: [
          {
            psp_transaction_id: charge.id,
            network_transaction_id: charge.network_transaction_id,
            merchant_payment_method_id: `pm_sandbox_success--${n}`,
            success: true,
          },
        ],
        original_amount: 42.5,
        amount_collected: 42.5,
        currency: 'USD',
        success: true,
        custom,
      }),
    },
  );
}

const calls = {
  async start(given: BareInput) {
    input = given;
    const options = { connections: given.perMerchant, allowH2: false };
    lookups = new Agent(options);
    webhooks = new Agent(options);
    psp = new Pool(given.pspUrl, { connections: 128, allowH2: false });
  },
  async run({ attempts }: { readonly attempts: number }) {
    if (input === undefined) throw new Error('start comes first');
    const to = input;
    run += 1;
    let next = 0;
    const loop = async (origin: string): Promise<void> => {
      for (let n = next++; n < attempts; n = next++) await attempt(to, origin, n);
    };
    const loops = to.merchantUrls.flatMap((origin) =>
      Array.from({ length: to.perMerchant }, () => loop(origin)),
    );
    await Promise.all(loops);
  },
};
export type BareCalls = typeof calls;

serve(calls, async () => {
  await Promise.all([lookups?.close(), webhooks?.close(), psp?.close()]);
});
