import { expect, it } from 'vitest';
import { operatorKit } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';
import { minute, seedPayment } from '../store/reports/seed.ts';

const learned = { policy: { kind: 'learned', holdout_share: 0.2, learned_share: 0.8 } };

it('gives each arm with its share and n, and why fixed days are used', async () => {
  const settings = { learnedPolicy: false, webhookSignatureValidityMs: 60_000 };
  const { ask, db, merchant, counted } = await operatorService({ settings });
  const merchantId = await merchant(learned);
  await merchant();
  for (const [invoiceId, failedAt] of [
    ['in_1', minute(600)],
    ['in_2', minute(700)],
    ['in_3', minute(500)],
  ] as const) {
    const decision = { arm: 'holdout' };
    await seedPayment(db, { merchantId, invoiceId, failed_at: failedAt, decision });
  }
  const since = minute(650).toISOString();
  const path = `/api/experiments?since=${since}`;
  expect((await ask('GET', path)).json).not.toHaveProperty('as_of');
  await counted();
  const { json } = await ask('GET', path);
  expect(json.as_of).toBe('2026-03-01T09:30:00.000Z');
  expect(json.experiments).toEqual([
    {
      merchant_id: merchantId,
      merchant_name: 'Acme',
      since: '2026-03-01T09:30:00.000Z',
      figures_from: since,
      window_days: 28,
      max_attempts: 8,
      fixed_days: expect.any(Array),
      learned_share: 0.8,
      learned_reason: 'Set by hand.',
      segments: [],
      assignment: expect.stringMatching(/^By a hash of the invoice id/),
      model_id: expect.any(String),
      own_model: false,
      fallback: { reason: 'the learned policy is switched off by LEARNED_POLICY' },
      arms: expect.any(Array),
    },
  ]);
  const arms = json.experiments[0].arms.map((arm: { arm: string; payments: number }) => [
    arm.arm,
    arm.payments,
  ]);
  expect(arms).toContainEqual(['holdout', 1]);
});

it('refuses a merchant that is not there, and a time that is none', async () => {
  const { ask } = await operatorService();
  expect((await ask('GET', '/api/experiments?merchant_id=mer_9')).status).toBe(404);
  expect((await operatorKit().ask('GET', '/api/experiments?since=soon')).status).toBe(400);
});
