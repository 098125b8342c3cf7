import { describe, expect, it } from 'vitest';
import { createWhatIfStore } from '../../src/store/learned/what-if-store.ts';
import { fieldsOf, kitNow, operatorKit } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';
import { whatIfResult } from '../kits/what-ifs.ts';

const terms = { policy: 'learned', window_days: 14, max_attempts: 4 } as const;

describe('POST /api/what-ifs', () => {
  it('takes the terms, and answers at once that the test is queued', async () => {
    const { ask, merchant, requested } = await operatorService();
    const merchantId = await merchant();
    const reply = await ask('POST', '/api/what-ifs', { merchant_id: merchantId, ...terms });
    expect(reply.status).toBe(202);
    expect(reply.json).toMatchObject({
      ...terms,
      merchant_id: merchantId,
      state: 'queued',
      requested_at: kitNow.toISOString(),
    });
    expect(requested).toMatchObject([{ name: 'what-if', input: { whatIfId: reply.json.id } }]);
  });

  it('refuses terms that no policy has, and a merchant that is not there', async () => {
    const { ask } = await operatorService();
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
    const { ask, db, merchant } = await operatorService();
    const merchantId = await merchant({ policy: { kind: 'fixed', fixed_days: [1, 3] } });
    const asked = { ...terms, policy: 'fixed', merchant_id: merchantId };
    const { id: whatIfId } = (await ask('POST', '/api/what-ifs', asked)).json;
    const note = { whatIfId, state: 'done', charges: 900, message: '', at: kitNow } as const;
    await createWhatIfStore(db).note({ ...note, result: whatIfResult });
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
            message: 'The effective sample is 12 of 300 payments; at least 100 is asked for.',
            effective_sample: 12,
          },
          money: [
            {
              currency: 'EUR',
              payments: 260,
              failed: 5_200,
              claimed: true,
              n: 250,
              effective_sample: 140,
              recovered: { value: 2_340, low: 1_976, high: 2_704 },
              logged: { value: 2_080, low: 1_820, high: 2_340 },
              gain: { value: 260, low: -104, high: 624 },
            },
            { currency: 'JPY', failed: 48_000, claimed: false, reason: 'too_few_decisions' },
          ],
        },
      },
    ]);
  });

  it('has no money in results of before it was told', async () => {
    const { ask, db, merchant } = await operatorService();
    const asked = { ...terms, merchant_id: await merchant() };
    const { id: whatIfId } = (await ask('POST', '/api/what-ifs', asked)).json;
    const { money: _, ...before } = whatIfResult;
    const note = { whatIfId, state: 'done', charges: 900, message: '', at: kitNow } as const;
    await createWhatIfStore(db).note({ ...note, result: before });
    const { json } = await ask('GET', `/api/what-ifs?merchant_id=${asked.merchant_id}`);
    expect(json.what_ifs[0].result).toMatchObject({ failures: 300, money: [] });
  });

  it('refuses a merchant that is not there', async () => {
    const { ask } = await operatorService();
    expect((await ask('GET', '/api/what-ifs?merchant_id=mer_9')).status).toBe(404);
    expect((await operatorKit().ask('GET', '/api/what-ifs')).status).toBe(400);
  });
});
