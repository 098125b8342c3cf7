import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnalyticsWorld, openAnalyticsWorld } from '../../../kits/analytics-world.ts';

let world: AnalyticsWorld;
beforeAll(async () => {
  world = await openAnalyticsWorld();
});
afterAll(() => world.close());

const reported = {
  psp: 'paypal',
  psp_dispute_id: 'PP-D-1',
  kind: 'dispute',
  stage: 'chargeback',
  status: 'needs_response',
  occurred_at: '2026-05-31T09:00:00Z',
  opened_at: '2026-05-31T09:00:00Z',
  respond_by: '2026-06-12T23:00:00Z',
  network: 'Visa',
  reason_code: '1040',
  amount: 49.5,
  currency: 'EUR',
  charge_id: 'PAY-1',
};

async function ask(method: string, path: string, body?: unknown) {
  const { status, text } = await world.call(method, path, body);
  return { status, json: JSON.parse(text) };
}

describe('a dispute that a merchant reports', () => {
  it('is shown with its state, deadline, days left and history', async () => {
    const { status, json } = await ask('POST', '/v1/disputes', reported);
    expect(status).toBe(200);
    const later = { ...reported, status: 'lost', occurred_at: '2026-06-01T09:00:00Z' };
    expect((await ask('POST', '/v1/disputes', later)).json).toEqual({ id: json.id });
    expect((await ask('POST', '/v1/disputes', reported)).json).toEqual({ id: json.id });
    const shown = await ask('GET', `/v1/disputes/${json.id}`);
    expect(shown).toMatchObject({
      status: 200,
      json: {
        origin: 'merchant',
        state: 'lost',
        stage: 'chargeback',
        network: 'visa',
        reason_code: '10.4',
        reason_family: 'fraud',
        amount: 49.5,
        payment_ids: ['PAY-1'],
        blocks_retries: false,
        history: [{ state: 'needs_response' }, { state: 'lost' }],
        matches: [],
      },
    });
    // Nothing is awaited any more.
    expect(shown.json).not.toHaveProperty('respond_by');
  });

  it('has a deadline while an answer is awaited, and is found by it', async () => {
    const { json } = await ask('POST', '/v1/disputes', { ...reported, psp_dispute_id: 'PP-D-2' });
    const { json: shown } = await ask('GET', `/v1/disputes/${json.id}`);
    const today = world.clock.now().toISOString().slice(0, 10);
    const days = (Date.parse('2026-06-12') - Date.parse(today)) / 86_400_000;
    expect(shown).toMatchObject({
      respond_by: '2026-06-12T23:00:00.000Z',
      is_psp_deadline: true,
      days_left: days,
    });
    const due = (before: string) =>
      ask('GET', `/v1/disputes?status=needs_response&due_before=${before}`);
    expect((await due('2026-06-12T23:00:01Z')).json.items).toMatchObject([{ id: json.id }]);
    expect((await due('2026-06-12T23:00:00Z')).json).toEqual({ items: [] });
  });

  it('belongs to its merchant alone', async () => {
    const { json } = await ask('POST', '/v1/disputes', { ...reported, psp_dispute_id: 'PP-D-3' });
    const { authorization } = world.second;
    const other = await world.call('GET', `/v1/disputes/${json.id}`, undefined, { authorization });
    expect([other.status, other.text]).toEqual([404, '{"detail":"Not Found"}']);
    const list = await world.call('GET', '/v1/disputes', undefined, { authorization });
    expect(list.text).toBe('{"items":[]}');
  });
});

describe('a list', () => {
  it('is read page by page, the newest first', async () => {
    for (const day of ['11', '12', '13']) {
      const opened_at = `2026-01-${day}T09:00:00Z`;
      const body = { ...reported, psp_dispute_id: `PP-L-${day}`, stage: 'arbitration', opened_at };
      await ask('POST', '/v1/disputes', body);
    }
    const first = await ask('GET', '/v1/disputes?stage=arbitration&limit=2');
    const ids = (page: typeof first) =>
      page.json.items.map((item: { psp_dispute_id: string }) => item.psp_dispute_id);
    expect(ids(first)).toEqual(['PP-L-13', 'PP-L-12']);
    const cursor = encodeURIComponent(first.json.next_cursor);
    const second = await ask('GET', `/v1/disputes?stage=arbitration&limit=2&cursor=${cursor}`);
    expect([ids(second), second.json.next_cursor]).toEqual([['PP-L-11'], undefined]);
  });

  it.each(['limit=0', 'status=x', 'due_before=tomorrow', 'cursor=x', 'limit=1&limit=2'])(
    'with %s is refused',
    async (query) => {
      const { status, json } = await ask('GET', `/v1/disputes?${query}`);
      expect(status).toBe(422);
      expect(json.detail[0].loc).toEqual(['query', query.split('=')[0]]);
    },
  );
});

describe('a report', () => {
  it.each([
    ['without a stage', { stage: undefined }, ['body', 'stage']],
    ['of a warning with a status', { kind: 'fraud_warning', stage: undefined }, ['body', 'status']],
    ['with an amount alone', { currency: undefined }, ['body', 'amount']],
    ['with a part of a cent', { amount: 1.001 }, ['body', 'amount']],
    ['of an unknown PSP', { psp: 'x' }, ['body', 'psp']],
    ['without an id', { psp_dispute_id: undefined }, ['body', 'psp_dispute_id']],
    ['with a day for a time', { opened_at: '2026-05-31' }, ['body', 'opened_at']],
  ])('%s is refused', async (_what, changes, loc) => {
    const { status, json } = await ask('POST', '/v1/disputes', { ...reported, ...changes });
    expect(status).toBe(422);
    expect(json.detail.map((item: { loc: unknown }) => item.loc)).toContainEqual(loc);
  });

  it.each(['', '{', 'null', '[]'])('with the body %j is refused', async (body) => {
    expect((await ask('POST', '/v1/disputes', body)).status).toBe(422);
  });
});
