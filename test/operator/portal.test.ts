import { describe, expect, it } from 'vitest';
import { dayMs } from '../../src/domain/clock.ts';
import { operatorEndpoints } from '../../src/operator/endpoints.ts';
import { exportEndpoints } from '../../src/operator/exports/export-endpoints.ts';
import { portalEndpoints } from '../../src/operator/session/portal-endpoints.ts';
import { maxPortalLinks } from '../../src/recovery/people/portal-api.ts';
import { disputedAt, disputeOf } from '../kits/dispute-cases.ts';
import { fieldsOf, operatorToken } from '../kits/operator-server.ts';
import { type OperatorService, operatorService } from '../kits/operator-service.ts';
import { seedAttempt, seedPayment } from '../store/reports/seed.ts';

const host = 'recoup.example:8082';
const fromOurPage = { host, origin: `http://${host}` };

async function linkTo(service: OperatorService, merchantId: string, body?: object) {
  const { status, json } = await service.ask(
    'POST',
    `/api/merchants/${merchantId}/portal-links`,
    body,
  );
  expect(status).toBe(201);
  const [page = '', token = ''] = String(json.url).split('#');
  return { ...json, page, token } as { id: string; page: string; token: string };
}

function enter(service: OperatorService, body: object, headers: object = fromOurPage) {
  return service.server.inject({
    method: 'POST',
    url: '/api/session',
    headers: { ...headers, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
}

async function cookieOf(service: OperatorService, body: object): Promise<string> {
  const reply = await enter(service, body);
  expect(reply.statusCode, reply.body).toBe(204);
  return String(reply.headers['set-cookie']).split(';')[0] ?? '';
}

async function opened(service: OperatorService, merchantId: string): Promise<string> {
  return await cookieOf(service, { portal_token: (await linkTo(service, merchantId)).token });
}

async function askWith(
  service: OperatorService,
  cookie: string,
  { method = 'GET', url }: { readonly method?: string; readonly url: string },
) {
  const isRead = method === 'GET';
  const reply = await service.server.inject({
    method: method as 'GET',
    url,
    headers: { ...fromOurPage, cookie, ...(!isRead && { 'content-type': 'application/json' }) },
    ...(!isRead && { payload: '{}' }),
  });
  return { status: reply.statusCode, text: reply.body, code: codeIn(reply.body) };
}

function codeIn(text: string): string | undefined {
  return text.startsWith('{"error"') ? JSON.parse(text).error.code : undefined;
}

const routes = [...operatorEndpoints, ...exportEndpoints].map(({ method, path }) => ({
  method,
  path,
  route: `${method} ${path}`,
}));

describe('a link', () => {
  it('opens the portal of its merchant until it ends, behind a # and kept as a hash', async () => {
    const machine = { at: new Date('2026-03-01T00:00:00Z'), now: () => machine.at };
    const service = await operatorService({ machine });
    const merchantId = await service.merchant();
    const link = await linkTo(service, merchantId);
    expect(link.page).toBe('http://127.0.0.1:8082/portal');
    expect(link.token).toMatch(/^portal_test_[0-9a-z]{45}$/);
    const { rows } = await service.db.pool.query('select l::text as row from portal_links l');
    expect(JSON.stringify(rows)).not.toContain(link.token.slice(-20));
    const reply = await enter(service, { portal_token: link.token });
    expect(reply.headers['set-cookie']).toMatch(
      /^recoup_portal=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=86400$/,
    );
    const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? '';
    const session = JSON.parse((await askWith(service, cookie, { url: '/api/session' })).text);
    expect(session.portal).toEqual({
      merchant: { id: merchantId, name: 'Acme', time_zone: 'UTC' },
      ends_at: '2026-03-02T00:00:00.000Z',
      link_id: link.id,
    });
    expect(session.operator).toBeUndefined();
    // As if a clock that ran ahead by two days had given it.
    machine.at = new Date(machine.at.getTime() - 2 * dayMs);
    expect((await askWith(service, cookie, { url: '/api/session' })).status).toBe(401);
    machine.at = new Date(machine.at.getTime() + 3 * dayMs);
    expect((await askWith(service, cookie, { url: '/api/session' })).status).toBe(401);
    const late = await enter(service, { portal_token: link.token });
    expect([late.statusCode, codeIn(late.body)]).toEqual([401, 'portal_refused']);
  });

  it('ends with its sessions when it is revoked, and leaves those of other merchants', async () => {
    const service = await operatorService();
    const [own, other] = [await service.merchant(), await service.merchant()];
    const [link, cookie] = [await linkTo(service, own), await opened(service, own)];
    const stays = await opened(service, other);
    const revoked = await service.ask('DELETE', `/api/merchants/${own}/portal-links`);
    expect([revoked.status, revoked.json]).toEqual([200, { revoked: 2 }]);
    expect((await askWith(service, cookie, { url: '/api/payments' })).status).toBe(401);
    expect((await enter(service, { portal_token: link.token })).statusCode).toBe(401);
    expect((await askWith(service, stays, { url: '/api/payments' })).status).toBe(200);
  });

  it('is asked for with a time and an origin that are such', async () => {
    const service = await operatorService();
    const merchantId = await service.merchant();
    const ask = (body: object) =>
      service.ask('POST', `/api/merchants/${merchantId}/portal-links`, body);
    for (const origin of [
      'http://app.example.com',
      'https://app.example.com/',
      "https://app.example.com; script-src 'unsafe-inline'",
      'https://*.example.com',
      '*',
      'https://a.example https://b.example',
    ]) {
      expect(fieldsOf(await ask({ embed_origin: origin })), origin).toEqual([
        'embed_origin: Input should be an origin, such as https://app.example.com',
      ]);
    }
    for (const seconds of [59, 7 * 86_400 + 1]) {
      expect((await ask({ expires_in_seconds: seconds })).status).toBe(400);
    }
    const nobody = await service.ask('POST', '/api/merchants/mer_nobody/portal-links');
    expect(nobody.status).toBe(404);
  });

  it('is for operators of the merchant, and stands in its audit log with who came by it', async () => {
    const service = await operatorService();
    const [own, other] = [await service.merchant(), await service.merchant()];
    const tokenOf = async (role: string) => {
      const { json } = await service.ask('POST', '/api/operators', {
        name: 'K. Ito',
        role,
        merchants: [own],
      });
      return (await service.ask('POST', `/api/operators/${json.id}/tokens`)).json.text as string;
    };
    const create = async (token: string, merchantId: string) => {
      const url = `/api/merchants/${merchantId}/portal-links`;
      const headers = { authorization: `Bearer ${token}` };
      return (await service.server.inject({ method: 'POST', url, headers })).statusCode;
    };
    const operator = await tokenOf('operator');
    expect(await create(await tokenOf('disputes'), own)).toBe(403);
    expect(await create(operator, other)).toBe(404);
    expect(await create(operator, own)).toBe(201);
    await opened(service, own);
    const { json } = await service.ask('GET', `/api/audit?merchant_id=${own}&action=portal.`);
    expect(json.items).toMatchObject([
      { action: 'portal.opened', actor: 'portal', detail: { link_id: expect.any(String) } },
      { action: 'portal.link_created', actor: 'operator' },
      { action: 'portal.link_created', actor: expect.stringMatching(/^op_/) },
    ]);
    expect(JSON.stringify(json)).not.toContain('portal_test');
  });

  it('is one of so many', async () => {
    const service = await operatorService();
    const merchantId = await service.merchant();
    await service.db.pool.query(
      `insert into portal_links (link_id, merchant_id, hash, created_at, expires_at)
       select 'plk_' || n, $1, sha256(n::text::bytea), $2, $2::timestamptz + interval '1 day'
       from generate_series(1, $3::int) n`,
      [merchantId, service.clock.at, maxPortalLinks],
    );
    const { status } = await service.ask('POST', `/api/merchants/${merchantId}/portal-links`);
    expect(status).toBe(409);
  });
});

describe('an API key', () => {
  async function keyOf(service: OperatorService, merchantId: string, scopes: readonly string[]) {
    const { json } = await service.ask('POST', `/api/merchants/${merchantId}/credentials`, {
      kind: 'recovery_api_key',
      scopes,
    });
    return json as { id: string; text: string };
  }

  it('opens the portal of its merchant until it is revoked', async () => {
    const service = await operatorService();
    const merchantId = await service.merchant();
    const key = await keyOf(service, merchantId, ['read']);
    const cookie = await cookieOf(service, { api_key: key.text });
    expect((await askWith(service, cookie, { url: '/api/payments' })).status).toBe(200);
    await service.ask('DELETE', `/api/merchants/${merchantId}/credentials/${key.id}`);
    expect((await askWith(service, cookie, { url: '/api/payments' })).status).toBe(401);
    expect((await enter(service, { api_key: key.text })).statusCode).toBe(401);
  });

  it('has to be for reading', async () => {
    const service = await operatorService();
    const key = await keyOf(service, await service.merchant(), ['intake', 'act']);
    const reply = await enter(service, { api_key: key.text });
    expect([reply.statusCode, codeIn(reply.body)]).toEqual([403, 'scope_missing']);
  });
});

describe('whoever looks at a portal', () => {
  it('is refused every endpoint that the list does not name, and the list names no other', async () => {
    const service = await operatorService();
    const merchantId = await service.merchant();
    const cookie = await opened(service, merchantId);
    const passed: string[] = [];
    for (const { method, path, route } of routes) {
      const url = path.replace('{id}', merchantId).replaceAll(/\{\w+\}/g, 'x');
      const reply = await askWith(service, cookie, { method, url });
      if (reply.code === 'portal_forbidden') expect(reply.status, route).toBe(403);
      else passed.push(route);
    }
    const live = await askWith(service, cookie, { url: '/api/live' });
    expect(live.code).toBe('portal_forbidden');
    // It is served beside the list of endpoints.
    const walked = portalEndpoints.filter((route) => route !== 'DELETE /api/session');
    expect(passed.toSorted()).toEqual(walked.toSorted());
  });

  it('only reads: nothing on the list changes anything but their own session', () => {
    const writes = portalEndpoints.filter((route) => !route.startsWith('GET '));
    expect(writes).toEqual(['DELETE /api/session']);
  });

  it('finds nothing of another merchant and cannot count it, whatever is asked', async () => {
    const service = await operatorService();
    const { db, clock } = service;
    clock.at = disputedAt;
    const [own, other] = [
      await service.merchant(),
      await service.merchant({ name: 'Beta secret' }),
    ];
    for (const merchantId of [own, other]) {
      const invoiceId = merchantId === own ? 'in_own' : 'in_other';
      await seedPayment(db, { merchantId, invoiceId, state: 'attempting' });
      await seedAttempt(db, { merchantId, invoiceId, number: 1, state: 'unknown' });
    }
    const ingest = (merchantId: string, pspDisputeId: string) =>
      service.ingestDispute({
        merchantId,
        psp: 'stripe',
        dispute: { ...disputeOf(), pspDisputeId },
        occurredAt: disputedAt,
      });
    await ingest(own, 'dp_own');
    await ingest(other, 'dp_other');
    const disputeIdOf = async (merchantId: string) =>
      (await service.ask('GET', `/api/disputes?merchant_id=${merchantId}`)).json.items[0].id;
    const ids = new Map([
      [own, await disputeIdOf(own)],
      [other, await disputeIdOf(other)],
    ]);
    const cookie = await opened(service, own);
    const listed = routes.filter(({ route }) => portalEndpoints.includes(route));
    const answered = new Map<string, string[]>();
    const reached = new Set<string>();
    const ask = async () => {
      for (const { method, path, route } of listed) {
        for (const merchantId of [own, other]) {
          const invoiceId = merchantId === own ? 'in_own' : 'in_other';
          const url = path
            .replace('/merchants/{id}', `/merchants/${merchantId}`)
            .replace('{invoice_id}', invoiceId)
            .replace('{customer_id}', `cus_of_${invoiceId}`)
            .replace('{endpoint_id}', 'primary')
            .replace('/disputes/{id}', `/disputes/${ids.get(merchantId)}`)
            .replaceAll(/\{\w+\}/g, 'x');
          for (const query of [
            '',
            `?merchant_id=${other}`,
            `?merchant_id=${own}`,
            '?search=in_other',
          ]) {
            const reply = await askWith(service, cookie, { method, url: url + query });
            const place = `${route} ${url}${query}`;
            if (url.includes(other)) expect([400, 404], place).toContain(reply.status);
            if (reply.status === 200) reached.add(route);
            const all = answered.get(place) ?? [];
            // Times of the answer itself stand in it.
            answered.set(place, [
              ...all,
              `${reply.status} ${reply.text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')}`,
            ]);
            // What was asked may be named in the refusal; nothing else of it.
            const told = reply.status >= 400 ? reply.text.replaceAll(other, '') : reply.text;
            for (const secret of [other, 'in_other', 'Beta secret', 'dp_other', ids.get(other)]) {
              expect(told.includes(secret), `${place}: ${reply.text}`).toBe(false);
            }
          }
        }
      }
    };
    // Who asks first has the sums counted.
    await askWith(service, cookie, { url: '/api/overview' });
    await service.counted();
    await ask();
    // What another merchant has more changes no answer, no count in one either.
    await seedPayment(db, { merchantId: other, invoiceId: 'in_other_2', state: 'exhausted' });
    await ingest(other, 'dp_other_2');
    await service.counted();
    await ask();
    for (const [place, [before, after]] of answered) expect(after, place).toBe(before);
    const unreached = listed.map(({ route }) => route).filter((route) => !reached.has(route));
    // There is no event and no stated month here.
    expect(unreached).toEqual([
      'GET /api/merchants/{id}/monthly-statements/{month}',
      'GET /api/merchants/{id}/deliveries/{event_id}',
    ]);
    const list = await askWith(service, cookie, { url: '/api/payments' });
    expect(JSON.parse(list.text).items).toMatchObject([{ invoice_id: 'in_own' }]);
  });

  it('sees of the alerts those that a merchant can do something about', async () => {
    const service = await operatorService();
    const own = await service.merchant();
    await seedPayment(service.db, { merchantId: own, invoiceId: 'in_own', state: 'attempting' });
    await seedAttempt(service.db, {
      merchantId: own,
      invoiceId: 'in_own',
      number: 1,
      state: 'unknown',
    });
    const { json } = await service.ask('GET', `/api/overview?merchant_id=${own}`);
    expect(json.alerts).toMatchObject([{ kind: 'unknown_outcomes' }]);
    const cookie = await opened(service, own);
    const { text } = await askWith(service, cookie, { url: '/api/overview' });
    expect(JSON.parse(text).alerts).toEqual([]);
  });

  it('leaves, and their cookie is nothing from then on', async () => {
    const service = await operatorService();
    const cookie = await opened(service, await service.merchant());
    const leave = (headers: object) =>
      service.server.inject({
        method: 'DELETE',
        url: '/api/session',
        headers: { cookie, ...headers },
      });
    expect((await leave({ host, origin: 'https://app.example' })).statusCode).toBe(403);
    const left = await leave(fromOurPage);
    expect([left.statusCode, left.headers['set-cookie']]).toEqual([
      204,
      'recoup_portal=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0',
    ]);
    expect((await askWith(service, cookie, { url: '/api/session' })).status).toBe(401);
  });
});

describe('signing in', () => {
  it('takes one of three texts, from our own page alone', async () => {
    const service = await operatorService();
    const { token } = await linkTo(service, await service.merchant());
    for (const body of [{}, { token: operatorToken, portal_token: token }]) {
      const reply = await enter(service, body);
      expect([reply.statusCode, codeIn(reply.body)]).toEqual([400, 'invalid_request']);
    }
    const elsewhere = { host, origin: 'https://app.example.com' };
    const refused = await enter(service, { portal_token: token }, elsewhere);
    expect([refused.statusCode, codeIn(refused.body)]).toEqual([403, 'cross_site_refused']);
    for (const body of [{ token }, { api_key: token }, { portal_token: operatorToken }]) {
      expect((await enter(service, body)).statusCode).toBe(401);
    }
  });

  it('at a portal takes no operator out of the browser, and makes nobody one', async () => {
    const service = await operatorService();
    const merchantId = await service.merchant();
    const operator = await cookieOf(service, { token: operatorToken });
    const portal = await opened(service, merchantId);
    const both = await askWith(service, `${portal}; ${operator}`, { url: '/api/operators' });
    expect(both.status).toBe(200);
    const swapped = portal.replace('recoup_portal', 'recoup_session');
    expect((await askWith(service, swapped, { url: '/api/session' })).status).toBe(401);
    const { rows } = await service.db.pool.query('select from operator_sessions');
    expect(rows).toHaveLength(1);
  });

  it('slows wrong links of an address', async () => {
    const service = await operatorService();
    for (let n = 0; n < 10; n += 1) {
      expect((await enter(service, { portal_token: 'wrong' })).statusCode).toBe(401);
    }
    expect((await enter(service, { portal_token: 'wrong' })).statusCode).toBe(429);
  });
});

describe('a portal in a frame', () => {
  const file = { type: 'text/html', bytes: Buffer.from('<html>'), isImmutable: false };
  const dashboard = {
    state: () => ({ kind: 'ready' as const, files: new Map([['index.html', file]]) }),
  };

  it('is shown by the site of its link alone, while the link holds', async () => {
    const service = await operatorService({ dashboard });
    const merchantId = await service.merchant();
    const link = await linkTo(service, merchantId, { embed_origin: 'https://app.example.com' });
    const plain = await linkTo(service, merchantId);
    const framing = async (url: string) => {
      const reply = await service.server.inject({ url, headers: { accept: 'text/html' } });
      return /frame-ancestors ([^;]*)/.exec(String(reply.headers['content-security-policy']))?.[1];
    };
    expect(link.page).toBe(`http://127.0.0.1:8082/portal/${link.id}`);
    expect(await framing(`/portal/${link.id}`)).toBe('https://app.example.com');
    expect(await framing(`/portal/${link.id}/payments?range=7d`)).toBe('https://app.example.com');
    for (const url of [
      '/',
      '/portal',
      '/payments',
      `/payments/${link.id}`,
      `/portal/${plain.id}`,
    ]) {
      expect(await framing(url), url).toBe("'none'");
    }
    await service.ask('DELETE', `/api/merchants/${merchantId}/portal-links`);
    expect(await framing(`/portal/${link.id}`)).toBe("'none'");
  });

  it('has a cookie that the browser keeps for that site', async () => {
    const service = await operatorService();
    const merchantId = await service.merchant();
    const { token } = await linkTo(service, merchantId, {
      embed_origin: 'https://app.example.com',
    });
    const reply = await enter(service, { portal_token: token });
    const cookie = String(reply.headers['set-cookie']);
    expect(cookie).toMatch(
      /^recoup_portal=[\w-]{43}; Path=\/; HttpOnly; SameSite=None; Max-Age=86400; Secure; Partitioned$/,
    );
    const left = await service.server.inject({
      method: 'DELETE',
      url: '/api/session',
      headers: { ...fromOurPage, cookie: cookie.split(';')[0] },
    });
    expect(left.headers['set-cookie']).toContain('Max-Age=0; Secure; Partitioned');
  });
});
