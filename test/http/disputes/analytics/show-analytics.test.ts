import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AnalyticsWorld,
  analyticsRecord,
  openAnalyticsWorld,
} from '../../../kits/analytics-world.ts';

let world: AnalyticsWorld;
beforeAll(async () => {
  world = await openAnalyticsWorld();
});
afterAll(() => world.close());

async function show(id: string, headers: Record<string, string> = {}) {
  const { status, text } = await world.call('GET', `/v1/analytics/${id}`, undefined, headers);
  return { status, view: JSON.parse(text) as Record<string, unknown>, text };
}

describe('what was kept', () => {
  it('is told by the names of its fields', async () => {
    const id = await world.submit({
      ...analyticsRecord,
      user_agent: 'Mozilla/5.0',
      customer_id: 'cus_1',
      transaction_id: 'tx_1',
      amount: 5,
    });
    const { status, view, text } = await show(id);
    expect([status, view]).toEqual([
      200,
      {
        id,
        state: 'active',
        psp: 'stripe',
        captured_at: '2026-03-01T12:00:00.000Z',
        fields: [
          'customer_email',
          'ipv4_address',
          'psp',
          'user_agent',
          'customer_id',
          'charge_id',
          'transaction_id',
        ],
        ip_is_public: true,
        identifiers: ['customer_id', 'charge_id', 'transaction_id'],
        missing_for_evidence: [],
        mature_at: '2026-06-29T12:00:00.000Z',
        priors: { state: 'too_few', charges: 0 },
        legal_hold: false,
        payments: [],
        matches: [],
      },
    ]);
    for (const value of ['jane', '8.8.4.4', 'Mozilla']) expect(text).not.toContain(value);
  });

  it('says what it lacks as evidence', async () => {
    const id = await world.submit({
      customer_email: 'jane@example.com',
      ipv4_address: '10.1.2.3',
      psp: 'adyen',
      invoice_id: 'in_1',
    });
    const { view } = await show(id);
    expect([view.ip_is_public, view.missing_for_evidence]).toEqual([
      false,
      ['public_ipv4_address', 'customer_id', 'user_agent', 'payment_id'],
    ]);
  });

  it.each(['ana_000000000000000000000000', 'x', '%F0%9F%98%80'])('is 404 for %s', async (id) => {
    expect(await show(id)).toMatchObject({ status: 404, view: { detail: 'Not Found' } });
  });
});

describe('two merchants', () => {
  it('have their own ids for the same content, and none of each other', async () => {
    const mine = await world.submit(analyticsRecord);
    const theirs = await world.submit(analyticsRecord, {
      authorization: world.second.authorization,
    });
    expect(mine).not.toBe(theirs);
    expect((await show(theirs)).status).toBe(404);
    expect((await show(mine, { authorization: world.second.authorization })).status).toBe(404);
  });

  it('share no hash of the same person', async () => {
    const body = { ...analyticsRecord, customer_id: 'cus_shared' };
    await world.submit(body);
    await world.submit(body, { authorization: world.second.authorization });
    const rows = await world.rows(
      `select count(distinct email_index)::int as emails, count(distinct ip_index)::int as ips,
         count(distinct s.subject_hash)::int as subjects
       from analytics a join analytics_subjects s using (merchant_id, subject_id)
       where customer_id = 'cus_shared'`,
    );
    expect(rows).toEqual([{ emails: 2, ips: 2, subjects: 2 }]);
  });

  it('cannot erase each other’s customers', async () => {
    const id = await world.submit({ ...analyticsRecord, customer_id: 'cus_mine' });
    const authorization = world.second.authorization;
    const answer = await world.call('DELETE', '/v1/customers/cus_mine', undefined, {
      authorization,
    });
    expect([answer.status, (await show(id)).view.state]).toEqual([404, 'active']);
  });
});
