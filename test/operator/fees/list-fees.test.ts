import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rulePackVersion } from '../../../src/domain/network-rules/rule-pack.ts';
import type { Database } from '../../../src/store/database.ts';
import { fieldsOf, operatorKit } from '../../kits/operator-server.ts';
import { openReportDatabase } from '../../store/reports/report-database.ts';
import { minute, seedMerchant } from '../../store/reports/seed.ts';

let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
  await seedMerchant(db, 'mer_1');
  for (const at of [1, 2]) {
    await db.pool.query(
      `insert into network_fees (merchant_id, charge_ref, rule, kind, network, amount_micros,
         currency, at)
       values ('mer_1', $1, 'mastercard.optimizer', 'expected', 'mastercard', 7000, 'EUR', $2)`,
      [`c_${at}`, minute(at)],
    );
  }
});
afterAll(() => db.close());

const item = {
  network: 'mastercard',
  rule: 'mastercard.optimizer',
  meaning: 'Mastercard charges for each advice of 24 to 30 with code 51, heeded or not.',
  currency: 'EUR',
  avoided: 0,
  avoided_count: 0,
};

describe('GET /api/merchants/{id}/fees', () => {
  it('gives sums as decimals of the major unit, to tenths of a cent', async () => {
    const { ask } = operatorKit({ db });
    const reply = await ask('GET', '/api/merchants/mer_1/fees');
    expect([reply.status, reply.json]).toEqual([
      200,
      {
        rule_pack_version: rulePackVersion,
        items: [{ ...item, expected: 0.014, expected_count: 2 }],
      },
    ]);
  });

  it.each([
    [`from=${minute(2).toISOString()}`, [{ ...item, expected: 0.007, expected_count: 1 }]],
    [`to=${minute(2).toISOString()}`, [{ ...item, expected: 0.007, expected_count: 1 }]],
    [`from=${minute(3).toISOString()}&to=${minute(4).toISOString()}`, []],
  ])('sums those of a time alone: %s', async (time, items) => {
    const { ask } = operatorKit({ db });
    expect((await ask('GET', `/api/merchants/mer_1/fees?${time}`)).json.items).toEqual(items);
  });

  it('refuses a time that is none, and a merchant that is not there', async () => {
    const { ask } = operatorKit({ db });
    const reply = await ask('GET', '/api/merchants/mer_1/fees?from=yesterday');
    expect([reply.status, fieldsOf(reply)]).toEqual([400, [expect.stringMatching(/^from: /)]]);
    expect((await ask('GET', '/api/merchants/mer_2/fees')).status).toBe(404);
  });
});

describe('GET /api/cards-near-limit', () => {
  it('answers a page, also for a merchant that there is not', async () => {
    const { ask } = operatorKit({ db });
    for (const query of ['', '?merchant_id=mer_1']) {
      const reply = await ask('GET', `/api/cards-near-limit${query}`);
      expect([reply.status, reply.json]).toEqual([200, { items: [] }]);
    }
  });
});
