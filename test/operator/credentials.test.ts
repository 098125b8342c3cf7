import { describe, expect, it } from 'vitest';
import { operatorOpenApi } from '../../src/operator/operator-open-api.ts';
import { fieldsOf, operatorKit } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';

async function withMerchant() {
  const service = await operatorService();
  return { ...service, path: `/api/merchants/${await service.merchant()}/credentials` };
}

const anywhere = '/api/merchants/mer_1/credentials';
const at = '2026-03-01T09:30:00.000Z';

describe('credentials', () => {
  it('are issued with their text, and listed without it', async () => {
    const { ask, path, clock } = await withMerchant();
    clock.at = new Date('2026-03-02T09:30:00.000Z');
    const issued = await ask('POST', path, { kind: 'recovery_api_key' });
    expect(issued.status).toBe(201);
    const { text, ...shown } = issued.json;
    expect(shown).toEqual({
      id: expect.stringMatching(/^cred_/),
      kind: 'recovery_api_key',
      hint: `${text.slice(0, 10)}…${text.slice(-4)}`,
      scopes: ['intake', 'read', 'act'],
      created_at: '2026-03-02T09:30:00.000Z',
    });
    const listed = await ask('GET', path);
    expect(listed.json.items[0]).toEqual(shown);
    expect(listed.json.items.map((item: { kind: string }) => item.kind).sort()).toEqual([
      'disputes_password',
      'recovery_api_key',
      'recovery_api_key',
      'signing_secret',
    ]);
    expect(JSON.stringify(listed.json)).not.toContain(text);
  });

  it('are issued with scopes, a name and an end, and rotated one by one with them', async () => {
    const { ask, path, db } = await withMerchant();
    const kind = 'recovery_api_key';
    const wanted = { kind, scopes: ['act', 'intake'], name: 'Billing', valid_for: 'P30D' };
    const issued = await ask('POST', path, wanted);
    const given = { kind, scopes: ['intake', 'act'], name: 'Billing' };
    expect(issued.json).toMatchObject({ ...given, expires_at: '2026-03-31T09:30:00.000Z' });
    const rotated = await ask('POST', `${path}/rotate`, {
      kind,
      credential_id: issued.json.id,
      overlap: 'PT1H',
    });
    expect([rotated.status, rotated.json]).toMatchObject([201, given]);
    const { items } = (await ask('GET', path)).json;
    const ends = new Map(
      items.map((item: { id: string; expires_at?: string }) => [item.id, item.expires_at]),
    );
    expect(ends.get(issued.json.id)).toBe('2026-03-01T10:30:00.000Z');
    // The key that the merchant was created with is of another system, and stays.
    expect([...ends.values()].filter((end) => end !== undefined)).toHaveLength(1);
    const { rows } = await db.pool.query(
      "select detail from audit_log where action = 'credential.rotated'",
    );
    expect(rows[0].detail).toMatchObject({ replaces: issued.json.id, ...given });
  });

  it('are ten at most of each kind, as the document says of both ways to a new one', async () => {
    const { ask, path } = await withMerchant();
    const kind = 'signing_secret';
    const issue = async () => (await ask('POST', path, { kind })).status;
    const statuses: number[] = [];
    for (let n = 0; n < 10; n += 1) statuses.push(await issue());
    expect(statuses).toEqual([...Array(9).fill(201), 409]);
    expect((await ask('POST', `${path}/rotate`, { kind })).status).toBe(409);
    const { paths } = (await operatorOpenApi()) as { readonly paths: Record<string, unknown> };
    for (const way of ['credentials', 'credentials/rotate']) {
      const endpoint = paths[`/api/merchants/{id}/${way}`];
      expect(endpoint).toMatchObject({ post: { responses: { 409: expect.anything() } } });
    }
  });

  it.each([
    [{ kind: 'signing_secret', scopes: ['read'] }, 400],
    [{ kind: 'signing_secret', name: 'Billing' }, 400],
    [{ kind: 'recovery_api_key', scopes: [] }, 400],
    [{ kind: 'recovery_api_key', scopes: ['everything'] }, 400],
    [{ kind: 'recovery_api_key', valid_for: 'PT1M' }, 400],
    [{ kind: 'recovery_api_key', valid_for: 'a year' }, 400],
    [{ kind: 'recovery_api_key', credential_id: 'cred_of_nobody', overlap: 'PT0S' }, 404],
  ])('are not issued as %j', async (body, status) => {
    const { ask, path } = await withMerchant();
    const rotates = 'overlap' in body;
    expect((await ask('POST', rotates ? `${path}/rotate` : path, body)).status).toBe(status);
    expect((await ask('GET', path)).json.items).toHaveLength(3);
  });

  it.each([
    [undefined, '2026-03-02T09:30:00.000Z'],
    ['P1D', '2026-03-02T09:30:00.000Z'],
    ['PT0S', at],
    ['P90D', '2026-05-30T09:30:00.000Z'],
  ])('are rotated with the overlap %s', async (overlap, endsAt) => {
    const { ask, path } = await withMerchant();
    const reply = await ask('POST', `${path}/rotate`, { kind: 'signing_secret', overlap });
    expect([reply.status, reply.json.text]).toEqual([201, expect.stringMatching(/^whsec_/)]);
    const { items } = (await ask('GET', path)).json;
    const ends = items
      .filter((item: { kind: string }) => item.kind === 'signing_secret')
      .map((item: { expires_at?: string }) => item.expires_at);
    expect(new Set(ends)).toEqual(new Set([endsAt, undefined]));
  });

  it.each([
    [{ overlap: 'P1D' }, 'kind: Field required'],
    [
      { kind: 'password' },
      "kind: Input should be 'recovery_api_key', 'disputes_password' or 'signing_secret'",
    ],
    [
      { kind: 'signing_secret', overlap: '1 day' },
      'overlap: Input must be an ISO 8601 duration such as P1D, PT12H or P1W',
    ],
    [
      { kind: 'signing_secret', overlap: 'P1M' },
      'overlap: Input may not use years or months, whose length varies: give days, such as P30D',
    ],
    [{ kind: 'signing_secret', overlap: 'P91D' }, 'overlap: Input may not be longer than P90D'],
    [{ kind: 'signing_secret', overlap: 7 }, 'overlap: Input should be a valid string'],
  ])('are not rotated by %j', async (body, fault) => {
    const reply = await operatorKit().ask('POST', `${anywhere}/rotate`, body);
    expect([reply.status, fieldsOf(reply)]).toEqual([400, [fault]]);
  });

  it('are revoked once', async () => {
    const { ask, path } = await withMerchant();
    const { id } = (await ask('POST', path, { kind: 'disputes_password' })).json;
    const revoked = await ask('DELETE', `${path}/${id}`);
    expect([revoked.status, revoked.json]).toEqual([204, undefined]);
    const again = await ask('DELETE', `${path}/${id}`);
    expect([again.status, again.json.error.code]).toEqual([404, 'not_found']);
    const { items } = (await ask('GET', path)).json;
    expect(items.find((item: { id: string }) => item.id === id).revoked_at).toBe(at);
  });

  it('of an unknown merchant are not found', async () => {
    const { ask } = await operatorService();
    const path = '/api/merchants/mer_9/credentials';
    for (const [method, url, body] of [
      ['GET', path, undefined],
      ['POST', path, { kind: 'signing_secret' }],
      ['POST', `${path}/rotate`, { kind: 'signing_secret' }],
      ['DELETE', `${path}/cred_1`, undefined],
    ] as const) {
      const reply = await ask(method, url, body);
      expect([reply.status, reply.json.error.code]).toEqual([404, 'not_found']);
    }
  });

  it('are not issued for an unknown kind', async () => {
    const reply = await operatorKit().ask('POST', anywhere, { kind: 'root' });
    expect(fieldsOf(reply)).toEqual([
      "kind: Input should be 'recovery_api_key', 'disputes_password' or 'signing_secret'",
    ]);
  });
});
