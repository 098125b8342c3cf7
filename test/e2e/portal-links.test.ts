import { beforeAll, describe, expect, test } from 'vitest';
import { connectionStringOf } from '../kits/data-dirs.ts';
import { queryOnce } from '../kits/query-once.ts';
import { type Service, useServices } from '../kits/service.ts';
import { call, expectStatus, operatorApi, recoveryApi } from '../kits/service-calls.ts';

const services = useServices();
let service: Service;
beforeAll(async () => {
  service = await services.start();
});

const path = '/recover/portal_links';

/** Another key of the merchant. */
async function issue(scopes: readonly string[] = ['read', 'act']) {
  const of = `/api/merchants/${service.merchantId}/credentials`;
  const asked = operatorApi(service).post(of, { kind: 'recovery_api_key', scopes });
  const { id, text } = await expectStatus(asked, 201);
  const headers = { 'x-api-key': String(text) };
  return {
    id: String(id),
    api: recoveryApi(service, String(text)),
    revokeLinks: () => call(service.recoveryUrl + path, { method: 'DELETE', headers }),
    revokeKey: () =>
      call(`${service.operatorUrl}${of}/${id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${service.operatorToken}` },
      }),
  };
}

/** The cookie of whoever comes by a link; undefined where it opens nothing. */
async function enter(link: { readonly url: string }): Promise<string | undefined> {
  const answer = await fetch(`${service.operatorUrl}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.operatorUrl },
    body: JSON.stringify({ portal_token: link.url.split('#')[1] }),
  });
  if (answer.status === 401) return undefined;
  expect(answer.status).toBe(204);
  return answer.headers.get('set-cookie')?.split(';')[0];
}

async function read(cookie = ''): Promise<number> {
  return (await fetch(`${service.operatorUrl}/api/payments`, { headers: { cookie } })).status;
}

describe('a link that a merchant’s own server asks for', () => {
  test('opens the portal, is one for one Idempotency-Key, and is revoked like all others', async () => {
    const key = await issue();
    const under = { 'idempotency-key': 'visit-1' };
    const link = await expectStatus(key.api.post(path, {}, under), 200);
    expect(link.url).toMatch(new RegExp(`^${service.operatorUrl}/portal#portal_test_`));
    expect(await expectStatus(key.api.post(path, {}, under), 200)).toEqual(link);
    const other = { embed_origin: 'https://app.example.com' };
    expect((await key.api.post(path, other, under)).status).toBe(422);
    const framed = await expectStatus(key.api.post(path, other), 200);
    expect(framed).toMatchObject({
      ...other,
      url: expect.stringContaining(`/portal/${framed.id}#`),
    });

    const rows = await queryOnce(
      await connectionStringOf(service.dataDir),
      `select k::text as row from idempotency_keys k union all select l::text from portal_links l
       union all select a::text from audit_log a`,
    );
    expect(rows.length).toBeGreaterThan(3);
    expect(JSON.stringify(rows)).not.toContain(link.url.split('#')[1]?.slice(12));

    const cookie = await enter(link);
    expect(await read(cookie)).toBe(200);
    expect((await key.revokeLinks()).json).toEqual({ revoked: 2 });
    expect([await read(cookie), await enter(framed)]).toEqual([401, undefined]);

    const audit = `/api/audit?merchant_id=${service.merchantId}&actor=${key.id}`;
    const { items } = await expectStatus(operatorApi(service).get(audit), 200);
    expect(items).toMatchObject([
      { action: 'portal.links_revoked', detail: { links: 2 }, address: '127.0.0.1' },
      { action: 'portal.link_created', after: other },
      { action: 'portal.link_created', detail: { link_id: link.id } },
    ]);
  });

  test('ends with the key, and so does who came by it; those of other keys and operators stay', async () => {
    const [ending, staying] = [await issue(), await issue()];
    const link = await expectStatus(ending.api.post(path, {}), 200);
    const cookie = await enter(link);
    const others = [
      await expectStatus(staying.api.post(path, {}), 200),
      await expectStatus(
        operatorApi(service).post(`/api/merchants/${service.merchantId}/portal-links`),
        201,
      ),
    ];
    expect((await ending.revokeKey()).status).toBeLessThan(300);
    expect([await read(cookie), await enter(link)]).toEqual([401, undefined]);
    for (const other of others) expect(await read(await enter(other))).toBe(200);
  });

  test('is for keys that may read, and revoking for those that may act', async () => {
    const [reader, actor] = [await issue(['read']), await issue(['act'])];
    expect((await reader.api.post(path)).status).toBe(200);
    expect((await reader.revokeLinks()).status).toBe(403);
    expect((await actor.api.post(path)).status).toBe(403);
    expect((await actor.revokeLinks()).status).toBe(200);
  });
});
