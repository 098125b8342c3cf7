import { describe, expect, it } from 'vitest';
import type { OperatorApi } from '../../src/recovery/operator-api.ts';
import { operatorKit, operatorToken, unused } from '../kits/operator-server.ts';

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
    const reply = await signIn(operatorKit());
    expect(reply.statusCode).toBe(204);
    expect(reply.headers['set-cookie']).toMatch(
      /^recoup_session=[0-9a-z]+\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43[12]\d\d$/,
    );
    expect(reply.headers['set-cookie']).not.toContain(operatorToken);
  });

  it('keeps the cookie to TLS where the page came over it', async () => {
    const headers = { host: 'recoup.example', origin: 'https://recoup.example' };
    const reply = await signIn(operatorKit(), operatorToken, headers);
    expect(reply.headers['set-cookie']).toMatch(/; Secure$/);
  });

  it('refuses a wrong token, and after ten of them looks at none for a minute', async () => {
    const machine = { at: new Date('2026-03-01T00:00:00Z'), now: () => machine.at };
    const kit = operatorKit({ machine });
    for (let n = 0; n < 10; n += 1) expect((await signIn(kit, 'wrong')).statusCode).toBe(401);
    const refused = await signIn(kit);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    machine.at = new Date('2026-03-01T00:01:00Z');
    expect((await signIn(kit)).statusCode).toBe(204);
  });

  it('is not for pages of other origins', async () => {
    const other = { host, origin: 'http://recoup.example:3000' };
    expect((await signIn(operatorKit(), operatorToken, other)).statusCode).toBe(403);
    expect((await signIn(operatorKit(), operatorToken, { host })).statusCode).toBe(403);
  });
});

describe('a session', () => {
  it('reads, and says what service it is', async () => {
    const kit = operatorKit();
    const reply = await kit.server.inject({
      url: '/api/session',
      headers: { cookie: `theme=dark; ${await cookieOf(kit)}` },
    });
    expect(reply.json()).toEqual({ now: '2026-03-01T09:30:00.000Z', sandbox: true });
  });

  it('changes things from its own origin alone', async () => {
    const kit = operatorKit({
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

  it('ends after 12 hours, with the token, and when it is changed', async () => {
    const machine = { at: new Date('2026-03-01T00:00:00Z'), now: () => machine.at };
    const kit = operatorKit({ machine });
    const cookie = await cookieOf(kit);
    const status = async (of: Kit, value: string) =>
      (await of.server.inject({ url: '/api/session', headers: { cookie: value } })).statusCode;
    machine.at = new Date('2026-03-01T11:59:59Z');
    expect(await status(kit, cookie)).toBe(200);
    expect(await status(operatorKit({ machine, operatorToken: 'another-token' }), cookie)).toBe(
      401,
    );
    const later = cookie.replace(/=([0-9a-z]+)\./, (_, end) => `=${end}0.`);
    expect(await status(kit, later)).toBe(401);
    machine.at = new Date('2026-03-01T12:00:00Z');
    expect(await status(kit, cookie)).toBe(401);
  });

  it('is taken away by signing out', async () => {
    const kit = operatorKit();
    const reply = await kit.server.inject({
      method: 'DELETE',
      url: '/api/session',
      headers: { ...fromOurPage, cookie: await cookieOf(kit) },
    });
    expect([reply.statusCode, reply.headers['set-cookie']]).toEqual([
      204,
      'recoup_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0',
    ]);
  });
});
