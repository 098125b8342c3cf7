import { describe, expect, it } from 'vitest';
import { operatorEndpoints } from '../../../src/operator/endpoints.ts';
import type { Database } from '../../../src/store/database.ts';
import type { Method } from '../../kits/operator-server.ts';
import { operatorService } from '../../kits/operator-service.ts';

const begun = '2026-03-01T08:00:00.000Z';
const ended = '2026-03-01T08:10:00.000Z';

/** As the command leaves it in the cell that the merchant leaves. */
async function putMove(db: Database, merchantId: string, state: string): Promise<void> {
  await db.pool.query(
    `insert into merchant_moves (merchant_id, move_id, state, to_cell, recovery_url, disputes_url, begun_at,
       moved_at, cleared_at)
     values ($1, 'mov_1', $2, 'cell_2', 'http://127.0.0.1:1', 'http://127.0.0.1:2', $3::timestamptz,
       case when $2 in ('moved', 'cleared') then $4::timestamptz end,
       case when $2 = 'cleared' then $4::timestamptz end)
     on conflict (merchant_id) do update set state = excluded.state, moved_at = excluded.moved_at,
       cleared_at = excluded.cleared_at`,
    [merchantId, state, begun, ended],
  );
}

describe('a merchant on its way to another cell', () => {
  it.each([
    ['draining', { state: 'moving', to_cell: 'cell_2', since: begun }],
    ['fenced', { state: 'moving', to_cell: 'cell_2', since: begun }],
    ['moved', { state: 'moved', to_cell: 'cell_2', since: ended }],
    // It came back.
    ['cleared', undefined],
  ])('that is %s is shown as that, by itself and in the list', async (state, move) => {
    const { ask, db, merchant } = await operatorService();
    const other = await merchant();
    const id = await merchant();
    await putMove(db, id, state);
    expect((await ask('GET', `/api/merchants/${id}`)).json.move).toEqual(move);
    const { items } = (await ask('GET', '/api/merchants')).json;
    const moves = items.map((item: { id: string; move?: object }) => [item.id, item.move]);
    expect(Object.fromEntries(moves)).toEqual({ [id]: move, [other]: undefined });
  });

  it('is changed while it has not left', async () => {
    const { ask, db, merchant } = await operatorService();
    const id = await merchant();
    await putMove(db, id, 'draining');
    expect((await ask('PATCH', `/api/merchants/${id}`, { name: 'Acme 2' })).status).toBe(200);
  });
});

describe('a merchant that has moved to another cell', () => {
  it('is read, and changed by no endpoint: each says where it is', async () => {
    const { ask, db, merchant } = await operatorService();
    const id = await merchant();
    await putMove(db, id, 'moved');
    const answered: string[] = [];
    const expected: string[] = [];
    for (const { method, path, needs } of operatorEndpoints) {
      if (method === 'GET' || needs?.reach !== 'path') continue;
      const ofMerchant = path.replace('{id}', id).replaceAll(/\{\w+\}/g, 'any');
      const { status, json } = await ask(method as Method, ofMerchant);
      answered.push(`${method} ${path} ${status} ${json?.error?.code}: ${json?.error?.message}`);
      expected.push(
        `${method} ${path} 409 merchant_moved: It has moved to cell_2. Send the request there; run a move from there with that cell's settings.`,
      );
    }
    expect(answered.length).toBeGreaterThan(20);
    expect(answered).toEqual(expected);
    expect((await ask('GET', `/api/merchants/${id}/credentials`)).status).toBe(200);
  });

  it('leaves the changes of others alone', async () => {
    const { ask, db, merchant } = await operatorService();
    await putMove(db, await merchant(), 'moved');
    const id = await merchant();
    expect((await ask('PATCH', `/api/merchants/${id}`, { name: 'Acme 2' })).status).toBe(200);
    expect((await ask('PATCH', '/api/merchants/mer_none', { name: 'Acme 2' })).status).toBe(404);
  });
});
