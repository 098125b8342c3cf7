import { beforeEach, describe, expect, it } from 'vitest';
import { operatorToken } from '../kits/operator-server.ts';
import { type OperatorService, operatorService } from '../kits/operator-service.ts';
import { runCli } from '../kits/run-cli.ts';
import { minute, seedAttempt, seedPayment } from '../store/reports/seed.ts';

let service: OperatorService;
let url: string;
let merchantId: string;
beforeEach(async () => {
  service = await operatorService();
  url = await service.server.listen({ host: '127.0.0.1', port: 0 });
  merchantId = await service.merchant();
});

const report = async (...args: string[]) => {
  // A first look has the sums counted.
  await service.ask('GET', '/api/uplift');
  await service.counted();
  return runCli('recoup', ['report', ...args], {
    env: { OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken },
  });
};

/** Payments of an arm, each of another payer; some were recovered. */
async function seedArm(arm: string, input: { payments: number; recovered: number }) {
  const { db } = service;
  for (let index = 0; index < input.payments; index += 1) {
    const key = { merchantId, invoiceId: `in_${arm}_${index}` };
    const isRecovered = index < input.recovered;
    const state = isRecovered ? 'recovered' : 'exhausted';
    await seedPayment(db, { ...key, state, attempt_count: 1, decision: { arm } });
    if (isRecovered) await seedAttempt(db, { ...key, number: 1, state: 'succeeded' });
  }
  await db.pool.query(`update attempts set decision = $2 where invoice_id like $1`, [
    `in_${arm}_%`,
    { arm },
  ]);
}

describe('recoup report', () => {
  it('shows every figure with its interval and its n', async () => {
    await seedArm('learned', { payments: 40, recovered: 30 });
    await seedArm('holdout', { payments: 40, recovered: 20 });
    await service.db.pool.query(
      `insert into network_fees (merchant_id, charge_ref, rule, kind, network, amount_micros, currency, at)
       values ($1, 'att_in_holdout_0_1', 'visa.category_1', 'expected', 'visa', 100000, 'USD', $2)`,
      [merchantId, minute(1)],
    );
    const { code, stdout, stderr } = await report('--since', minute(0).toISOString());
    expect([code, stderr]).toEqual([0, '']);
    const bounds = String.raw`\[-?[0-9.]+, [0-9.]+\]`;
    expect(stdout).toMatch(
      /^EUR \+100\.00 \[.*\] against the holdout: .*\. 40 learned payments beside 40 held out\.\n\nEUR ALL PAYMENTS +ARM +N +OPEN +RECOVERED %/,
    );
    expect(stdout).toMatch(new RegExp(`\n +learned +40 +0 +75\\.0 ${bounds}`));
    expect(stdout).toMatch(new RegExp(`\n +learned - holdout +40 - 40 +- +25\\.0 ${bounds}`));
    expect(stdout).toMatch(/\nEUR BY WEEK OF THE FAILURE .*\n2026-02-23 +(holdout|learned) +40 /);
    expect(stdout).toContain('1 payments have fees in another currency: not counted.');
    const later = await report('--since', minute(1).toISOString());
    expect(later.stdout).toContain('No payment failed in this time.');
  });

  it('says how many of the compared payments are still open, since they may yet come back', async () => {
    await seedArm('learned', { payments: 3, recovered: 1 });
    await seedArm('holdout', { payments: 3, recovered: 1 });
    for (const arm of ['learned', 'holdout', 'fallback']) {
      const decision = { arm };
      await seedPayment(service.db, { merchantId, invoiceId: `in_open_${arm}`, decision });
    }
    const { stdout } = await report();
    expect(stdout).toContain(
      '4 learned payments beside 4 held out. 2 of them all are still open: until their windows end, a policy that tries sooner is ahead.\n',
    );
  });

  it('says that there is nothing to compare, and gives the JSON of the API', async () => {
    await seedArm('learned', { payments: 4, recovered: 1 });
    const text = await report();
    expect(text.stdout).toMatch(/^There is no holdout: nothing to compare with\.\n/);
    const json = await report('--json');
    expect(JSON.parse(json.stdout).parts[0]).toMatchObject({
      dimension: 'all',
      arms: [{ payments: 4, figures: { recovered_rate: { value: 0.25 } } }],
    });
  });
});
