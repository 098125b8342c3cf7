import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '../../../src/domain/merchant.ts';
import { rulePackVersion } from '../../../src/domain/network-rules/rule-pack.ts';
import { fieldsOf, operatorKit } from '../../kits/operator-server.ts';

/** With `mer_1`, the only merchant. */
async function withMerchant() {
  const kit = operatorKit();
  await kit.api.createMerchant({
    name: 'Acme',
    retryStatusUrl: 'https://a.example/{invoice_id}',
    webhookUrl: 'https://a.example/w',
    auth: { type: 'none' },
    psps: [],
    policy: defaultPolicy,
    endOfDunning: false,
  });
  return kit;
}

describe('GET /api/merchants/{id}/fees', () => {
  it('gives sums as decimals of the major unit, to tenths of a cent', async () => {
    const { ask, api } = await withMerchant();
    api.fees = [
      {
        network: 'mastercard',
        rule: 'mastercard.optimizer',
        currency: 'EUR',
        expectedMicros: 14_000,
        expectedCount: 2,
        avoidedMicros: 0,
        avoidedCount: 0,
      },
    ];
    const reply = await ask('GET', '/api/merchants/mer_1/fees');
    expect([reply.status, reply.json]).toEqual([
      200,
      {
        rule_pack_version: rulePackVersion,
        items: [
          {
            network: 'mastercard',
            rule: 'mastercard.optimizer',
            currency: 'EUR',
            expected: 0.014,
            expected_count: 2,
            avoided: 0,
            avoided_count: 0,
          },
        ],
      },
    ]);
    expect(api.calls.at(-1)?.input).toEqual({ merchantId: 'mer_1' });
  });

  it('passes the time on', async () => {
    const { ask, api } = await withMerchant();
    await ask('GET', '/api/merchants/mer_1/fees?from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z');
    expect(api.calls.at(-1)?.input).toEqual({
      merchantId: 'mer_1',
      from: new Date('2026-03-01T00:00:00Z'),
      to: new Date('2026-04-01T00:00:00Z'),
    });
  });

  it('refuses a time that is none, and a merchant that is not there', async () => {
    const { ask } = await withMerchant();
    const reply = await ask('GET', '/api/merchants/mer_1/fees?from=yesterday');
    expect([reply.status, fieldsOf(reply)]).toEqual([400, [expect.stringMatching(/^from: /)]]);
    expect((await ask('GET', '/api/merchants/mer_2/fees')).status).toBe(404);
  });
});
