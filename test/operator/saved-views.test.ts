import { expect, it } from 'vitest';
import { operatorToken } from '../kits/operator-server.ts';
import { type OperatorService, operatorService } from '../kits/operator-service.ts';

async function tokenOf(service: OperatorService, operator: object): Promise<string> {
  const { json } = await service.ask('POST', '/api/operators', { name: 'K. Ito', ...operator });
  return (await service.ask('POST', `/api/operators/${json.id}/tokens`)).json.text;
}

function asking(service: OperatorService, token: string) {
  return async (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object) => {
    const reply = await service.server.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { payload: body }),
    });
    return { status: reply.statusCode, json: reply.body === '' ? undefined : reply.json() };
  };
}

const exhausted = { name: 'Exhausted', path: '/payments?status=exhausted&range=7d' };

it('a view is of whoever saved it, and one of the same name replaces it', async () => {
  const service = await operatorService();
  const [me, other] = [
    asking(service, operatorToken),
    asking(service, await tokenOf(service, { role: 'viewer' })),
  ];
  const saved = await me('POST', '/api/saved-views', exhausted);
  expect(saved).toMatchObject({ status: 201, json: { ...exhausted, is_own: true } });
  const path = '/payments?status=exhausted&range=30d';
  const again = await me('POST', '/api/saved-views', { ...exhausted, path });
  expect(again.json).toEqual({ ...saved.json, path });
  expect((await me('GET', '/api/saved-views')).json.items).toEqual([again.json]);
  expect((await other('GET', '/api/saved-views')).json.items).toEqual([]);
  expect((await other('DELETE', `/api/saved-views/${saved.json.id}`)).status).toBe(404);
  expect((await me('DELETE', `/api/saved-views/${saved.json.id}`)).status).toBe(204);
  expect((await me('GET', '/api/saved-views')).json.items).toEqual([]);
});

it('a shared view is seen by others, and by operators of some merchants where it names one of theirs', async () => {
  const service = await operatorService();
  const [mine, theirs] = [await service.merchant(), await service.merchant()];
  const me = asking(service, await tokenOf(service, { role: 'operator' }));
  const viewer = asking(service, await tokenOf(service, { role: 'viewer' }));
  const bound = asking(service, await tokenOf(service, { role: 'viewer', merchants: [mine] }));
  for (const [name, path] of [
    ['All', '/payments'],
    ['Mine', `/payments?merchant=${mine}`],
    ['Theirs', `/payments?merchant=${theirs}`],
  ]) {
    const { status } = await me('POST', '/api/saved-views', { name, path, is_shared: true });
    expect(status).toBe(201);
  }
  const names = async (ask: typeof me) =>
    (await ask('GET', '/api/saved-views')).json.items.map((view: { name: string }) => view.name);
  expect(await names(viewer)).toEqual(['All', 'Mine', 'Theirs']);
  expect(await names(bound)).toEqual(['Mine']);
  const refused = await viewer('POST', '/api/saved-views', { ...exhausted, is_shared: true });
  expect(refused.status).toBe(403);
  const [{ id }] = (await viewer('GET', '/api/saved-views')).json.items;
  expect((await viewer('DELETE', `/api/saved-views/${id}`)).status).toBe(404);
  expect((await service.ask('DELETE', `/api/saved-views/${id}`)).status).toBe(204);
});

it('nobody shows a view to the operators of a merchant that they do not see', async () => {
  const service = await operatorService();
  const [mine, theirs] = [await service.merchant(), await service.merchant()];
  const bound = asking(service, await tokenOf(service, { role: 'operator', merchants: [mine] }));
  const other = asking(service, await tokenOf(service, { role: 'viewer', merchants: [theirs] }));
  const save = (merchant: string, name: string) =>
    bound('POST', '/api/saved-views', {
      name,
      path: `/payments?merchant=${merchant}`,
      is_shared: true,
    });
  expect((await save(theirs, 'Pay here')).status).toBe(404);
  expect((await save(mine, 'Mine')).status).toBe(201);
  expect((await other('GET', '/api/saved-views')).json.items).toEqual([]);
});

it('keeps fifty of an operator, and those of one who is removed no longer', async () => {
  const service = await operatorService();
  const { json: person } = await service.ask('POST', '/api/operators', {
    name: 'K. Ito',
    role: 'operator',
  });
  const { json: token } = await service.ask('POST', `/api/operators/${person.id}/tokens`);
  const me = asking(service, token.text);
  await me('POST', '/api/saved-views', { ...exhausted, name: 'Shared', is_shared: true });
  for (let n = 1; n < 50; n += 1) {
    await me('POST', '/api/saved-views', { ...exhausted, name: `View ${n}` });
  }
  expect((await me('POST', '/api/saved-views', exhausted)).status).toBe(409);
  expect((await me('POST', '/api/saved-views', { ...exhausted, name: 'View 1' })).status).toBe(201);
  await service.ask('DELETE', `/api/operators/${person.id}`);
  const { rows } = await service.db.pool.query('select name from saved_views');
  expect(rows).toEqual([{ name: 'Shared' }]);
});

it.each([
  'https://evil.example/payments',
  '//evil.example/payments',
  '/api/merchants',
  '/payments?q=jane@example.com',
  '/payments?q=jane%40example.com',
  '/payments?q=<script>',
])('takes no address like %s', async (path) => {
  const { ask } = await operatorService();
  const { status, json } = await ask('POST', '/api/saved-views', { name: 'X', path });
  expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining('path')]);
});
