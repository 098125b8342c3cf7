import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs, secondMs } from '../../src/domain/clock.ts';
import type { OperatorApi } from '../../src/recovery/operator-api.ts';
import { operatorKit, operatorToken, unused } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';

const origin = 'http://recoup.example:8082';
const host = 'recoup.example:8082';
const fromOurPage = { host, origin };

type Kit = ReturnType<typeof operatorKit>;

function signIn(kit: Kit, token = operatorToken, headers: Record<string, string> = fromOurPage) {
  return kit.server.inject({
    method: 'POST',
    url: '/api/session',
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify({ token }),
  });
}

async function cookieOf(kit: Kit): Promise<string> {
  const cookie = String((await signIn(kit)).headers['set-cookie']);
  return cookie.slice(0, cookie.indexOf(';'));
}

describe('signing in', () => {
  it('gives a cookie that no script reads and no other site sends', async () => {
    const reply = await signIn(await operatorService());
    expect(reply.statusCode).toBe(204);
    expect(reply.headers['set-cookie']).toMatch(
      /^recoup_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43[12]\d\d$/,
    );
    expect(reply.headers['set-cookie']).not.toContain(operatorToken);
  });

  it('keeps the cookie to TLS where the page came over it', async () => {
    const headers = { host: 'recoup.example', origin: 'https://recoup.example' };
    const reply = await signIn(await operatorService(), operatorToken, headers);
    expect(reply.headers['set-cookie']).toMatch(/; Secure$/);
  });

  it('slows wrong tokens of an address on every route, and never the right one', async () => {
    const machine = { at: new Date('2026-03-01T00:00:00Z'), now: () => machine.at };
    const kit = await operatorService({ machine });
    const guess = (url: string) =>
      kit.server.inject({ url, headers: { authorization: 'Bearer a-guess-at-the-token' } });
    for (let n = 0; n < 5; n += 1) {
      expect((await signIn(kit, 'wrong')).statusCode).toBe(401);
      expect((await guess('/api/merchants')).statusCode).toBe(401);
    }
    for (const refused of [await signIn(kit, 'wrong'), await guess('/api/psps')]) {
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
      expect(refused.headers.ratelimit).toBe('"default";r=0;t=60');
      expect(refused.json().error.code).toBe('too_many_requests');
    }
    expect((await signIn(kit)).statusCode).toBe(204);
    expect((await kit.ask('GET', '/api/merchants')).status).toBe(200);
    machine.at = new Date('2026-03-01T00:01:00Z');
    expect((await guess('/api/merchants')).statusCode).toBe(401);
  });

  it('keeps who came to the door in the audit log, and never what they gave', async () => {
    const kit = await operatorService();
    for (let n = 0; n < 30; n += 1) await signIn(kit, 'a-guess-at-the-token');
    const headers = { ...fromOurPage, cookie: await cookieOf(kit) };
    await kit.server.inject({ method: 'DELETE', url: '/api/session', headers });
    const { rows } = await kit.db.pool.query(
      'select merchant_id, actor, address, action, detail from audit_log order by line',
    );
    const from = { merchant_id: '*', address: '127.0.0.1' };
    const line = { ...from, actor: 'unknown', action: 'operator.token_refused' };
    const detail = { route: 'POST /api/session' };
    expect(rows).toEqual([
      ...Array.from({ length: 10 }, (_, index) => ({
        ...line,
        detail: { ...detail, count: index + 1 },
      })),
      { ...line, detail: { ...detail, count: 11, wait_seconds: expect.any(Number) } },
      ...['operator.signed_in', 'operator.signed_out'].map((action) => ({
        ...from,
        actor: 'operator',
        action,
        detail: {},
      })),
    ]);
  });

  it('is not for pages of other origins', async () => {
    const other = { host, origin: 'http://recoup.example:3000' };
    expect((await signIn(operatorKit(), operatorToken, other)).statusCode).toBe(403);
    expect((await signIn(operatorKit(), operatorToken, { host })).statusCode).toBe(403);
  });
});

describe('a session', () => {
  it('reads, and says what service it is', async () => {
    const kit = await operatorService();
    const reply = await kit.server.inject({
      url: '/api/session',
      headers: { cookie: `theme=dark; ${await cookieOf(kit)}` },
    });
    expect(reply.json()).toEqual({
      now: '2026-03-01T09:30:00.000Z',
      sandbox: true,
      operator: { role: 'administrator' },
    });
  });

  it('ends no later for a clock that ran ahead when it was given, and stays where one is set back a little', async () => {
    const right = new Date('2026-03-01T00:00:00Z');
    const machine = { at: addMs(right, 2 * dayMs), now: () => machine.at };
    const kit = await operatorService({ machine });
    const ahead = await cookieOf(kit);
    expect(await statusOf(kit, ahead)).toBe(200);
    machine.at = right;
    expect(await statusOf(kit, ahead)).toBe(401);
    const given = await cookieOf(kit);
    machine.at = addMs(right, -30 * secondMs);
    expect(await statusOf(kit, given)).toBe(200);
    machine.at = addMs(right, 12 * hourMs - 1);
    expect(await statusOf(kit, given)).toBe(200);
    machine.at = addMs(right, 12 * hourMs);
    expect(await statusOf(kit, given)).toBe(401);
  });

  it('changes things from its own origin alone', async () => {
    const kit = await operatorService({
      api: { ...unused<OperatorApi>('act'), retryPayment: async () => ({ kind: 'not_found' }) },
    });
    const cookie = await cookieOf(kit);
    const post = (headers: Record<string, string>) =>
      kit.server.inject({
        method: 'POST',
        url: '/api/merchants/mer_1/payments/in_1/retry',
        headers: { host, cookie, ...headers },
      });
    const statuses = [];
    for (const headers of [
      {},
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin, 'sec-fetch-site': 'same-site' },
      { origin, 'sec-fetch-site': 'cross-site' },
    ]) {
      const reply = await post(headers as Record<string, string>);
      statuses.push([reply.statusCode, reply.json().error.code]);
    }
    expect(new Set(statuses.map(String))).toEqual(new Set(['403,cross_site_refused']));
    expect((await post({ origin })).statusCode).toBe(404);
    expect((await post({ 'sec-fetch-site': 'same-origin' })).statusCode).toBe(404);
  });

  it('ends after 12 hours, and when the token is changed', async () => {
    const machine = { at: new Date('2026-03-01T00:00:00Z'), now: () => machine.at };
    const kit = await operatorService({ machine });
    const cookie = await cookieOf(kit);
    machine.at = new Date('2026-03-01T11:59:59Z');
    expect(await statusOf(kit, cookie)).toBe(200);
    const changed = operatorKit({ db: kit.db, machine, operatorToken: 'another-token' });
    expect(await statusOf(changed, cookie)).toBe(401);
    machine.at = new Date('2026-03-01T12:00:00Z');
    expect(await statusOf(kit, cookie)).toBe(401);
  });

  it('is known to every process, and kept as a hash alone', async () => {
    const kit = await operatorService();
    const cookie = await cookieOf(kit);
    const other = operatorKit({ db: kit.db, machine: { now: () => kit.clock.at } });
    expect(await statusOf(other, cookie)).toBe(200);
    const { rows } = await kit.db.pool.query('select s::text as row from operator_sessions s');
    const value = Buffer.from(cookie.slice('recoup_session='.length), 'base64url');
    expect(rows[0].row).not.toContain(value.toString('hex'));
  });

  it('is dead in every process once one signed out, whoever kept the cookie', async () => {
    const kit = await operatorService();
    const other = operatorKit({ db: kit.db, machine: { now: () => kit.clock.at } });
    const [cookie, elsewhere] = [await cookieOf(kit), await cookieOf(kit)];
    const reply = await kit.server.inject({
      method: 'DELETE',
      url: '/api/session',
      headers: { ...fromOurPage, cookie },
    });
    expect([reply.statusCode, reply.headers['set-cookie']]).toEqual([
      204,
      'recoup_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0',
    ]);
    expect(await statusOf(kit, cookie)).toBe(401);
    expect(await statusOf(other, cookie)).toBe(401);
    expect(await statusOf(kit, elsewhere)).toBe(200);
  });
});

async function statusOf(kit: Kit, cookie: string): Promise<number> {
  return (await kit.server.inject({ url: '/api/session', headers: { cookie } })).statusCode;
}
