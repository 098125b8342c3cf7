import { expect, it } from 'vitest';
import { operatorService } from '../kits/operator-service.ts';
import { minute, seedAttempt, seedPayment } from '../store/reports/seed.ts';

it('holds while nothing is breached, and says what is', async () => {
  const { ask, db, merchant } = await operatorService();
  const kept = await ask('GET', '/api/invariants');
  expect(kept.json).toMatchObject({ holds: true, items: [{ breaches: 0 }, { breaches: 0 }] });
  const key = { merchantId: await merchant(), invoiceId: 'in_1' };
  // The charge stands alone: its payment was not recovered by it.
  await seedPayment(db, { ...key, state: 'stopped', stop_reason: 'merchant_stop' });
  await seedAttempt(db, { ...key, number: 1, state: 'succeeded' });
  const { json } = await ask('GET', '/api/invariants');
  expect(json.holds).toBe(false);
  expect(json.items[0]).toMatchObject({ name: 'successes_agree', breaches: 1 });
  expect(json.differences).toMatchObject([
    { merchant_id: key.merchantId, day: minute(1).toISOString().slice(0, 10) },
  ]);
});

it('has everything checked in the background, once at a time', async () => {
  const { ask, requested } = await operatorService();
  const first = await ask('POST', '/api/invariants/checks');
  expect([first.status, first.json.state]).toEqual([202, 'running']);
  const again = await ask('POST', '/api/invariants/checks');
  expect(again.json.id).toBe(first.json.id);
  expect(requested).toMatchObject([
    { name: 'check', input: first.json.id },
    { name: 'check', input: first.json.id },
  ]);
  expect((await ask('GET', '/api/invariants')).json.running_check).toMatchObject({
    id: first.json.id,
  });
  const line = { action: 'invariants.check_begun', detail: { check_id: first.json.id } };
  expect((await ask('GET', '/api/audit')).json.items).toMatchObject([line, line]);
});
