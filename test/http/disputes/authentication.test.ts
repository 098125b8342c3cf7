import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minuteMs, secondMs } from '../../../src/domain/clock.ts';
import {
  type AnalyticsWorld,
  analyticsRecord,
  basic,
  openAnalyticsWorld,
} from '../../kits/analytics-world.ts';
import { rawExchange } from '../../kits/raw-http.ts';

let world: AnalyticsWorld;
beforeAll(async () => {
  world = await openAnalyticsWorld();
});
afterAll(() => world.close());

const notAuthenticated = '{"detail":"Not authenticated"}';

async function status(authorization: string | undefined, path = '/'): Promise<number> {
  const headers = authorization === undefined ? {} : { authorization };
  return (await fetch(`${world.url}${path}`, { headers })).status;
}

const encode = (text: string) => Buffer.from(text, 'latin1').toString('base64');

describe('credentials', () => {
  it('that are right are answered at /', async () => {
    const { status: code, text, headers } = await world.call('GET', '/');
    expect([code, text]).toEqual([200, '{"status":"OK"}']);
    expect(headers.get('content-type')).toBe('application/json');
  });

  it.each(['basic', 'BASIC', 'Basic '])('are read after %j too', async (scheme) => {
    const encoded = world.first.authorization.slice('Basic '.length);
    expect(await status(`${scheme} ${encoded}`)).toBe(200);
  });

  it.each([
    ['absent', () => undefined],
    ['of another scheme', () => `Bearer ${world.first.password}`],
    ['the scheme alone', () => 'Basic'],
    ['no base64', () => 'Basic ???'],
    ['cut', () => world.first.authorization.slice(0, -1)],
    ['without a colon', () => `Basic ${encode('nobody')}`],
    ['beyond ASCII', () => `Basic ${encode('m\xfcller:x')}`],
    ['with a NUL character', () => `Basic ${encode('mer\0:x')}`],
    ['too long', () => `Basic ${encode(`x:${'y'.repeat(2000)}`)}`],
    ['empty', () => basic('', '')],
    ['of nobody', () => basic('mer_nobody', world.first.password)],
    ["another merchant's password", () => basic(world.first.merchantId, world.second.password)],
    ['a wrong password', () => basic(world.first.merchantId, `${world.first.password}x`)],
    ['a password that looks right', () => basic('mer_1', `dp_${'0'.repeat(45)}`)],
  ])('%s are 401, whatever is asked and sent', async (_what, authorization) => {
    const given = authorization();
    const headers: Record<string, string> = given === undefined ? {} : { authorization: given };
    for (const [method, path, body] of [
      ['GET', '/', undefined],
      ['POST', '/v1/analytics/', JSON.stringify(analyticsRecord)],
      ['POST', '/v1/analytics', '{"half":'],
      ['POST', '/v1/analytics/', '{}'],
      ['POST', '/v1/analytics/batch', '{}'],
      ['GET', '/v1/analytics/ana_1', undefined],
      ['DELETE', '/v1/customers/cus_1', undefined],
    ] as const) {
      const answer = await fetch(`${world.url}${path}`, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      });
      expect([path, answer.status, await answer.text()]).toEqual([path, 401, notAuthenticated]);
      expect(answer.headers.get('www-authenticate')).toBe('Basic');
    }
    world.clock.passMs(minuteMs);
  });

  it('are judged before the body is there', async () => {
    const head = 'POST /v1/analytics/ HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{';
    const { text } = await rawExchange(world.port, head, (sofar) =>
      sofar.includes(notAuthenticated),
    );
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('may be several, are rotated with an overlap, and end within a second', async () => {
    const merchant = await world.newAnalyticsMerchant();
    const { merchantId } = merchant;
    const other = world.openProcess();
    const issued = await other.admin.issueCredential(merchantId, { kind: 'disputes_password' });
    const second = basic(merchantId, issued?.text ?? '');
    expect([await status(merchant.authorization), await status(second)]).toEqual([200, 200]);

    const rotated = await other.admin.rotateCredential(
      merchantId,
      { kind: 'disputes_password' },
      10 * secondMs,
    );
    const third = basic(merchantId, rotated?.text ?? '');
    expect([await status(second), await status(third)]).toEqual([200, 200]);
    world.clock.passMs(10 * secondMs);
    expect([
      await status(merchant.authorization),
      await status(second),
      await status(third),
    ]).toEqual([401, 401, 200]);

    // Revoked by another process: this one learns of it when what it has read is a second old.
    await other.admin.revokeCredential(merchantId, rotated?.credentialId ?? '');
    world.clock.passMs(secondMs);
    expect(await status(third)).toBe(401);
  });

  it('are not those of the recovery API', async () => {
    const created = await world.admin.issueCredential(world.first.merchantId, {
      kind: 'recovery_api_key',
    });
    expect(await status(basic(world.first.merchantId, created?.text ?? ''))).toBe(401);
  });
});

describe('failed tries', () => {
  it('are 429 after twenty, for that user name, until the minute ends', async () => {
    const { merchantId, authorization } = await world.newAnalyticsMerchant();
    const wrong = basic(merchantId, 'wrong');
    const codes = await Promise.all(Array.from({ length: 20 }, () => status(wrong)));
    expect(new Set(codes)).toEqual(new Set([401]));
    const refused = await fetch(world.url, { headers: { authorization: wrong } });
    expect([refused.status, await refused.json()]).toEqual([
      429,
      { detail: 'Too many failed tries. Try again in 60 s.' },
    ]);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=20;w=60');
    expect(refused.headers.get('ratelimit')).toBe('"default";r=0;t=60');
    // Not proven before, so it is not looked at either; another user name is.
    expect(await status(authorization)).toBe(429);
    expect(await status(world.second.authorization)).toBe(200);
    world.clock.passMs(minuteMs);
    expect(await status(authorization)).toBe(200);
  });

  it('do not shut out who was right before', async () => {
    const { merchantId, authorization } = await world.newAnalyticsMerchant();
    expect(await status(authorization)).toBe(200);
    for (let tries = 0; tries < 21; tries += 1) await status(basic(merchantId, 'wrong'));
    expect(await status(basic(merchantId, 'wrong'))).toBe(429);
    expect(await status(authorization)).toBe(200);
  });
});

describe('paths and methods', () => {
  it.each([
    '/v1',
    '/v1/',
    '/v1/analytics/a/b',
    '/v1/analytics/batch/',
    '/V1/analytics/',
    '/v1/customers/',
    '/docs/',
  ])('%s is 404, with credentials and without', async (path) => {
    const answer = await world.call('GET', path);
    expect([answer.status, answer.text]).toEqual([404, '{"detail":"Not Found"}']);
    expect(await status(undefined, path)).toBe(404);
  });

  it.each([
    ['POST', '/', 'GET, HEAD'],
    ['DELETE', '/', 'GET, HEAD'],
    ['GET', '/v1/analytics/', 'POST'],
    ['PUT', '/v1/analytics', 'POST'],
    ['GET', '/v1/analytics/batch', 'POST'],
    ['DELETE', '/v1/analytics/ana_1', 'GET, HEAD'],
    ['GET', '/v1/customers/cus_1', 'DELETE'],
    ['OPTIONS', '/v1/analytics/', 'POST'],
  ])('%s %s is 405 and allows %s', async (method, path, allow) => {
    const answer = await world.call(method, path);
    expect([answer.status, answer.text]).toEqual([405, '{"detail":"Method Not Allowed"}']);
    expect(answer.headers.get('allow')).toBe(allow);
  });

  it('HEAD of what has no GET is 405', async () => {
    const answer = await world.call('HEAD', '/v1/analytics/');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
