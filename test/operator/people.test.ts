import { describe, expect, it, vi } from 'vitest';
import { operatorRoles } from '../../src/domain/access/operators.ts';
import { dayMs, hourMs } from '../../src/domain/clock.ts';
import { operatorEndpoints } from '../../src/operator/endpoints.ts';
import { createIncidentStore } from '../../src/store/incidents/incident-store.ts';
import { disputedAt, disputeOf } from '../kits/dispute-cases.ts';
import { random } from '../kits/engine.ts';
import { fieldsOf, operatorToken, type Reply } from '../kits/operator-server.ts';
import { type OperatorService, operatorService } from '../kits/operator-service.ts';
import { seedAttempt, seedPayment } from '../store/reports/seed.ts';

const host = 'recoup.example:8082';
const fromOurPage = { host, origin: `http://${host}` };

async function added(service: OperatorService, operator: object) {
  const { status, json } = await service.ask('POST', '/api/operators', {
    name: 'K. Ito',
    ...operator,
  });
  expect(status).toBe(201);
  const issued = await service.ask('POST', `/api/operators/${json.id}/tokens`);
  expect(issued.status).toBe(201);
  return { id: json.id as string, token: issued.json.text as string };
}

async function askAs(
  service: OperatorService,
  token: string,
  input: { readonly method: string; readonly url: string; readonly body?: unknown },
): Promise<Reply & { readonly text: string }> {
  const { method, url, body } = input;
  const reply = await service.server.inject({
    method: method as 'GET',
    url,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  const isJson = String(reply.headers['content-type']).includes('json') && reply.body !== '';
  const json = isJson ? JSON.parse(reply.body) : undefined;
  return { status: reply.statusCode, json, headers: reply.headers, text: reply.body };
}

async function signIn(service: OperatorService, token: string): Promise<string> {
  const reply = await service.server.inject({
    method: 'POST',
    url: '/api/session',
    headers: { ...fromOurPage, 'content-type': 'application/json' },
    payload: JSON.stringify({ token }),
  });
  expect(reply.statusCode).toBe(204);
  return String(reply.headers['set-cookie']).split(';')[0] ?? '';
}

const sessionStatus = async (service: OperatorService, cookie: string) =>
  (await service.server.inject({ url: '/api/session', headers: { cookie } })).statusCode;

describe('a personal token', () => {
  it('is somebody by name, and the audit log says who', async () => {
    const service = await operatorService();
    const { id, token } = await added(service, { role: 'administrator' });
    expect(token).toMatch(/^op_test_[0-9a-z]{45}$/);
    const merchantId = await service.merchant();
    const body = { name: 'Acme Ltd' };
    await askAs(service, token, { method: 'PATCH', url: `/api/merchants/${merchantId}`, body });
    const { json } = await service.ask('GET', `/api/audit?actor=${id}`);
    expect(json.items).toMatchObject([{ action: 'merchant.changed', actor: id }]);
  });

  it('is kept as a hash, shown once, and says when it was used', async () => {
    const service = await operatorService();
    const { id, token } = await added(service, { role: 'viewer' });
    await askAs(service, token, { method: 'GET', url: '/api/psps' });
    const { json } = await askAs(service, token, {
      method: 'GET',
      url: `/api/operators/${id}/tokens`,
    });
    expect(json.items).toMatchObject([
      {
        hint: `op_test_${token.slice(8, 10)}…${token.slice(-4)}`,
        last_used_at: expect.any(String),
      },
    ]);
    const { rows } = await service.db.pool.query('select t::text as row from operator_tokens t');
    expect(rows[0].row).not.toContain(token.slice(10, 40));
    expect(JSON.stringify(json)).not.toContain(token);
  });

  it('is nothing once it is over, revoked, or its holder removed', async () => {
    const machine = { at: new Date('2026-03-01T00:00:00Z'), now: () => machine.at };
    const service = await operatorService({ machine });
    const status = async (token: string) =>
      (await askAs(service, token, { method: 'GET', url: '/api/psps' })).status;
    const [over, revoked, removed] = [
      await added(service, { role: 'viewer' }),
      await added(service, { role: 'viewer' }),
      await added(service, { role: 'viewer' }),
    ];
    const tokens = (await service.ask('GET', `/api/operators/${revoked.id}/tokens`)).json.items;
    await service.ask('DELETE', `/api/operators/${revoked.id}/tokens/${tokens[0].id}`);
    await service.ask('DELETE', `/api/operators/${removed.id}`);
    expect(await status(revoked.token)).toBe(401);
    expect(await status(removed.token)).toBe(401);
    expect(await status(over.token)).toBe(200);
    machine.at = new Date(machine.at.getTime() + 90 * dayMs);
    expect(await status(over.token)).toBe(401);
  });

  it('takes the sessions along that were opened with it, and no others', async () => {
    const machine = { at: new Date('2026-03-01T00:00:00Z'), now: () => machine.at };
    const service = await operatorService({ machine });
    const { id, token } = await added(service, { role: 'viewer' });
    const path = `/api/operators/${id}/tokens`;
    const second = (await service.ask('POST', path, { days: 1 })).json;
    const origin = 'http://recoup.example';
    const headers = { host: 'recoup.example', origin, 'content-type': 'application/json' };
    const signedIn = async (text: string) => {
      const payload = JSON.stringify({ token: text });
      const url = '/api/session';
      const reply = await service.server.inject({ method: 'POST', url, headers, payload });
      return String(reply.headers['set-cookie']).split(';')[0] ?? '';
    };
    const status = async (cookie: string) =>
      (await service.server.inject({ url: '/api/psps', headers: { cookie } })).statusCode;
    const [leaked, other] = [await signedIn(token), await signedIn(second.text)];
    const [{ id: tokenId }] = (await service.ask('GET', path)).json.items.filter(
      (item: { id: string }) => item.id !== second.id,
    );
    expect([await status(leaked), await status(other)]).toEqual([200, 200]);
    await service.ask('DELETE', `${path}/${tokenId}`);
    expect([await status(leaked), await status(other)]).toEqual([401, 200]);
    machine.at = new Date(machine.at.getTime() + dayMs - hourMs);
    const late = await signedIn(second.text);
    expect(await status(late)).toBe(200);
    machine.at = new Date(machine.at.getTime() + hourMs);
    expect(await status(late)).toBe(401);
  });

  it('is issued by oneself, and to others by administrators alone', async () => {
    const service = await operatorService();
    const [one, other] = [
      await added(service, { role: 'operator' }),
      await added(service, { role: 'viewer' }),
    ];
    const issue = (id: string) =>
      askAs(service, one.token, {
        method: 'POST',
        url: `/api/operators/${id}/tokens`,
        body: { days: 1 },
      });
    expect((await issue(one.id)).status).toBe(201);
    expect(await issue(other.id)).toMatchObject({
      status: 403,
      json: { error: { code: 'operator_forbidden' } },
    });
  });
});

describe('a session of the dashboard', () => {
  it('belongs to a person, and says who', async () => {
    const service = await operatorService();
    const { id, token } = await added(service, { role: 'disputes' });
    const cookie = await signIn(service, token);
    const reply = await service.server.inject({ url: '/api/session', headers: { cookie } });
    expect(reply.json().operator).toEqual({ id, name: 'K. Ito', role: 'disputes' });
    const { json } = await service.ask('GET', '/api/audit?action=operator.signed_in');
    expect(json.items).toMatchObject([{ actor: id, address: '127.0.0.1' }]);
  });

  it.each([
    ['another role', 'PATCH', { role: 'operator' }],
    ['removal', 'DELETE', undefined],
  ])('ends with %s', async (_what, method, body) => {
    const service = await operatorService();
    const { id, token } = await added(service, { role: 'viewer' });
    const cookie = await signIn(service, token);
    expect(await sessionStatus(service, cookie)).toBe(200);
    await service.ask(method as 'PATCH', `/api/operators/${id}`, body);
    expect(await sessionStatus(service, cookie)).toBe(401);
  });
});

describe('a role', () => {
  it('is what every endpoint behind the door names, and nothing below it passes', async () => {
    const service = await operatorService();
    const merchantId = await service.merchant();
    const tokens = new Map<string, string>();
    for (const role of operatorRoles) tokens.set(role, (await added(service, { role })).token);
    for (const { method, path, needs } of operatorEndpoints) {
      for (const [index, role] of operatorRoles.entries()) {
        const isBelow = index < operatorRoles.indexOf(needs.role);
        if (!isBelow) continue;
        const url = path.replace('{id}', merchantId).replaceAll(/\{\w+\}/g, 'x');
        const reply = await askAs(service, tokens.get(role) ?? '', { method, url });
        expect([reply.status, reply.json?.error?.code], `${role}: ${method} ${path}`).toEqual([
          403,
          'operator_forbidden',
        ]);
      }
    }
  });

  it('is changed for real: what was refused is done after it', async () => {
    const service = await operatorService();
    const { id, token } = await added(service, { role: 'viewer' });
    const add = () =>
      askAs(service, token, {
        method: 'POST',
        url: '/api/operators',
        body: { name: 'A', role: 'viewer' },
      });
    expect((await add()).status).toBe(403);
    await service.ask('PATCH', `/api/operators/${id}`, { role: 'administrator' });
    expect((await add()).status).toBe(201);
  });
});

describe('an operator of one merchant', () => {
  it('finds nothing of another one, whatever is asked', async () => {
    const service = await operatorService();
    const [own, other] = [
      await service.merchant(),
      await service.merchant({ name: 'Beta secret' }),
    ];
    for (const merchantId of [own, other]) {
      const invoiceId = merchantId === own ? 'in_own' : 'in_other';
      await seedPayment(service.db, { merchantId, invoiceId, state: 'attempting' });
      await seedAttempt(service.db, { merchantId, invoiceId, number: 1, state: 'unknown' });
    }
    const { token } = await added(service, { role: 'administrator', merchants: [own] });
    const reached = new Map<string, number>();
    for (const { method, path } of operatorEndpoints) {
      if (path === '/api/session' && method === 'DELETE') continue;
      for (const named of [own, other]) {
        const url = path
          .replace('/merchants/{id}', `/merchants/${named}`)
          .replace('{invoice_id}', named === own ? 'in_own' : 'in_other')
          .replaceAll(/\{\w+\}/g, 'x');
        const queries = method === 'GET' ? ['', `?merchant_id=${other}`, '?search=in_other'] : [''];
        for (const query of queries) {
          const body = method === 'GET' || method === 'DELETE' ? undefined : { merchant_id: other };
          const reply = await askAs(service, token, { method, url: url + query, body });
          const place = `${method} ${url}${query} ${reply.status}`;
          const { text } = reply;
          // What was asked may be named in the refusal; nothing else of it.
          const told = reply.status >= 400 ? text.replaceAll(other, '') : text;
          for (const secret of [other, 'in_other', 'Beta secret']) {
            expect(told.includes(secret), `${place}: ${text}`).toBe(false);
          }
          reached.set(
            `${method} ${path}`,
            Math.min(reply.status, reached.get(`${method} ${path}`) ?? 999),
          );
        }
      }
    }
    expect(reached.get('GET /api/payments')).toBe(200);
    expect(reached.get('GET /api/unknown-charges')).toBe(200);
    expect(reached.get('GET /api/overview')).toBe(200);
    expect(reached.get('GET /api/merchants')).toBe(200);
    expect(reached.get('GET /api/merchants/{id}')).toBe(200);
    const list = await askAs(service, token, { method: 'GET', url: '/api/payments' });
    expect(list.json.items.map((item: { invoice_id: string }) => item.invoice_id)).toEqual([
      'in_own',
    ]);
    const merchants = await askAs(service, token, { method: 'GET', url: '/api/merchants' });
    expect(merchants.json.items.map((item: { id: string }) => item.id)).toEqual([own]);
  });

  it('finds no dispute, incident or work of another one by its id', async () => {
    const service = await operatorService();
    const { db, clock } = service;
    clock.at = disputedAt;
    const [own, other] = [await service.merchant(), await service.merchant()];
    const { token } = await added(service, { role: 'administrator', merchants: [own] });
    const told = { psp: 'stripe', dispute: disputeOf(), occurredAt: disputedAt } as const;
    await service.ingestDispute({ merchantId: other, ...told });
    await createIncidentStore({ db, random }).open({
      merchantId: other,
      kind: 'two_successes',
      subject: 'rcp_1 succeeded',
      psp: 'sandbox',
      charge: 'rcp_1',
      detail: 'two charges of one debt succeeded',
      at: disputedAt,
    });
    const idOf = async (list: string) => (await service.ask('GET', list)).json.items[0].id;
    const dispute = `/api/disputes/${await idOf('/api/disputes')}`;
    const incident = `/api/incidents/${await idOf('/api/incidents')}`;
    const reason = { reason: 'tried' };
    const terms = { merchant_id: other, policy: 'even', window_days: 14, max_attempts: 4 };
    for (const [method, url, body] of [
      ['GET', dispute],
      ['GET', `${dispute}/evidence`],
      ['POST', `${dispute}/submit`, {}],
      ['POST', `${dispute}/accept`],
      ['GET', incident],
      ['POST', `${incident}/refund`, reason],
      ['POST', `${incident}/dismiss`, reason],
      ['POST', '/api/set-aside/retry', { kind: 'payment', merchant_id: other, id: 'in_1' }],
      ['POST', '/api/what-ifs', terms],
    ] as const) {
      const reply = await askAs(service, token, { method, url, body });
      expect([method, url, reply.status]).toEqual([method, url, 404]);
    }
    expect((await service.ask('GET', incident)).json.state).toBe('open');
    expect((await service.ask('GET', dispute)).status).toBe(200);
  });
});

describe('an operator of several merchants', () => {
  it('reads all of theirs together, or one of them, and nothing of others', async () => {
    const service = await operatorService();
    const { db } = service;
    const [a, b, other] = [
      await service.merchant(),
      await service.merchant(),
      await service.merchant(),
    ];
    for (const merchantId of [a, b, other]) {
      const invoiceId = `in_of_${merchantId}`;
      await seedPayment(db, { merchantId, invoiceId, state: 'attempting' });
      await seedAttempt(db, { merchantId, invoiceId, number: 1, state: 'unknown' });
    }
    const { token } = await added(service, { role: 'operator', merchants: [a, b] });
    const ask = (url: string) => askAs(service, token, { method: 'GET', url });
    for (const list of ['payments', 'unknown-charges']) {
      const whose = async (query: string) =>
        (await ask(`/api/${list}${query}`)).json.items
          .map((item: { merchant_id: string }) => item.merchant_id)
          .sort();
      expect(await whose('')).toEqual([a, b].sort());
      expect(await whose(`?merchant_id=${b}`)).toEqual([b]);
      expect((await ask(`/api/${list}?merchant_id=${other}`)).status).toBe(404);
    }
    expect((await ask('/api/overview')).json.alerts).toMatchObject([
      { kind: 'unknown_outcomes', count: 2 },
    ]);
    const exported = (await ask('/api/export/payments')).text;
    expect([a, b, other].map((id) => exported.includes(id))).toEqual([true, true, false]);
    const note = (await service.ask('GET', '/api/audit?action=list.exported')).json.items[0];
    expect(note.detail.merchants).toEqual([a, b]);
    expect((await ask('/api/merchants')).json.items).toHaveLength(2);
  });

  it('has each statement of each report asked for theirs alone', async () => {
    const service = await operatorService();
    const [a, b] = [await service.merchant(), await service.merchant({ name: 'Beta' })];
    const { token } = await added(service, { role: 'operator', merchants: [a, b] });
    const queried = operatorEndpoints.filter(({ needs }) => needs.reach === 'queried');
    expect(queried.length).toBeGreaterThan(14);
    // Who asks first has the sums counted.
    await askAs(service, token, { method: 'GET', url: '/api/uplift' });
    await service.counted();
    const more = new Map([
      ['/api/payments', ['?search=in_1', '?search=42', '?status=stopped']],
      ['/api/disputes', ['?order=deadline']],
    ]);
    const query = vi.spyOn(service.db, 'query');
    for (const { path } of queried) {
      for (const url of ['', ...(more.get(path) ?? [])].map((text) => path + text)) {
        query.mockClear();
        const { status } = await askAs(service, token, { method: 'GET', url });
        expect([url, status]).toEqual([url, 200]);
        const asked = query.mock.calls.filter(([{ text }]) => text.includes('$1::text[] is null'));
        expect(asked.length, url).toBeGreaterThan(0);
        for (const [{ name }, values] of asked) {
          expect([url, name, values[0]]).toEqual([url, name, [a, b]]);
        }
      }
    }
  });
});

it('refuses an address that is taken, a role that is none, and a merchant that is not there', async () => {
  const service = await operatorService();
  const email = 'K.Ito@Example.com';
  await added(service, { role: 'viewer', email });
  const add = (body: object) =>
    service.ask('POST', '/api/operators', { name: 'B', role: 'viewer', ...body });
  expect((await add({ email: email.toLowerCase() })).status).toBe(409);
  expect((await add({ merchants: ['mer_nobody'] })).status).toBe(404);
  expect(fieldsOf(await add({ role: 'owner', email: 'x' }))).toHaveLength(2);
});

it('the one token stays, and no line of the audit log has a name or an address of a person', async () => {
  const service = await operatorService();
  const { id } = await added(service, { role: 'viewer', email: 'k.ito@example.com' });
  await service.ask('DELETE', `/api/operators/${id}`);
  const { json } = await service.ask('GET', '/api/operators');
  expect(json.items).toMatchObject([{ id, name: 'K. Ito', removed_at: expect.any(String) }]);
  expect(json.items[0].email).toBeUndefined();
  const lines = JSON.stringify((await service.ask('GET', '/api/audit')).json);
  expect(lines).toContain('operator.removed');
  expect(lines).not.toMatch(/ito/i);
  expect(lines).not.toContain(operatorToken);
});
