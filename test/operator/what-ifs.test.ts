import { describe, expect, it } from 'vitest';
import { fakeNow } from '../kits/fake-operator-api.ts';
import { fieldsOf, type OperatorKit, operatorKit } from '../kits/operator-server.ts';
import { whatIfOf } from '../kits/what-ifs.ts';

const terms = { policy: 'learned', window_days: 14, max_attempts: 4 } as const;

/** A kit with a merchant. */
async function kitWithMerchant(): Promise<OperatorKit & { readonly merchantId: string }> {
  const kit = operatorKit();
  const { merchant } = await kit.api.createMerchant({
    name: 'Acme',
    retryStatusUrl: 'https://acme.example/retry',
    webhookUrl: 'https://acme.example/hook',
    auth: { type: 'none' },
    psps: [],
    policy: { kind: 'fixed', windowDays: 28, maxAttempts: 8, fixedDays: [1] },
    endOfDunning: false,
  });
  return { ...kit, merchantId: merchant.merchantId };
}

describe('POST /api/what-ifs', () => {
  it('takes the terms, and answers at once that the test is queued', async () => {
    const { ask, api, merchantId } = await kitWithMerchant();
    const reply = await ask('POST', '/api/what-ifs', { merchant_id: merchantId, ...terms });
    expect(reply.status).toBe(202);
    expect(reply.json).toMatchObject({
      ...terms,
      merchant_id: merchantId,
      state: 'queued',
      requested_at: fakeNow.toISOString(),
    });
    const input = { merchantId, policy: 'learned', windowDays: 14, maxAttempts: 4 };
    expect(api.calls).toContainEqual({ name: 'requestWhatIf', input });
  });

  it('refuses terms that no policy has, and a merchant that is not there', async () => {
    const { ask } = operatorKit();
    const wrong = { merchant_id: 'mer_9', policy: 'magic', window_days: 61, max_attempts: 0 };
    const reply = await ask('POST', '/api/what-ifs', wrong);
    expect([reply.status, fieldsOf(reply).length]).toEqual([400, 3]);
    expect((await ask('POST', '/api/what-ifs', { merchant_id: 'mer_9', ...terms })).status).toBe(
      404,
    );
  });
});

describe('GET /api/what-ifs', () => {
  it('gives claims with their intervals, and refusals in words', async () => {
    const { ask, api, merchantId } = await kitWithMerchant();
    api.whatIfs.push(whatIfOf({ merchantId, fixedDays: [1, 3] }));
    const { status, json } = await ask('GET', `/api/what-ifs?merchant_id=${merchantId}`);
    expect(status).toBe(200);
    expect(json.what_ifs).toMatchObject([
      {
        policy: 'fixed',
        fixed_days: [1, 3],
        state: 'done',
        charges_read: 900,
        result: {
          failures: 300,
          tries: 600,
          next_try: {
            claimed: true,
            n: 600,
            payers: 290,
            snips: { value: 0.21, low: 0.18, high: 0.24 },
            effective_sample: 240,
          },
          payment: {
            claimed: false,
            reason: 'small_effective_sample',
            words: 'The effective sample is 12 of 300 decisions; at least 100 is asked for.',
            effective_sample: 12,
          },
        },
      },
    ]);
  });

  it('refuses a merchant that is not there', async () => {
    const { ask } = operatorKit();
    expect((await ask('GET', '/api/what-ifs?merchant_id=mer_9')).status).toBe(404);
    expect((await ask('GET', '/api/what-ifs')).status).toBe(400);
  });
});
