import { describe, expect, it } from 'vitest';
import { fieldsOf, newMerchant, operatorKit } from '../kits/operator-server.ts';

async function withMerchant() {
  const kit = operatorKit();
  await kit.ask('POST', '/api/merchants', newMerchant);
  return kit;
}

const path = '/api/merchants/mer_1/credentials';

describe('credentials', () => {
  it('are issued with their text, and listed without it', async () => {
    const { ask } = await withMerchant();
    const issued = await ask('POST', path, { kind: 'recovery_api_key' });
    expect(issued.status).toBe(201);
    expect(issued.json).toEqual({
      id: 'cred_2',
      kind: 'recovery_api_key',
      hint: 'rk_test_ab…wxyz',
      created_at: '2026-03-01T09:30:00.000Z',
      text: 'rk_test_secret_of_cred_2',
    });
    const listed = await ask('GET', path);
    const { text, ...shown } = issued.json;
    expect(listed.json).toEqual({ items: [shown] });
    expect(JSON.stringify(listed.json)).not.toContain(text);
  });

  it.each([
    [undefined, 86_400_000],
    ['P1D', 86_400_000],
    ['PT0S', 0],
    ['P90D', 90 * 86_400_000],
  ])('are rotated with the overlap %s', async (overlap, overlapMs) => {
    const { ask, api } = await withMerchant();
    const reply = await ask('POST', `${path}/rotate`, { kind: 'signing_secret', overlap });
    expect(reply.status).toBe(201);
    expect(reply.json.text).toBe('rk_test_secret_of_cred_2');
    expect(api.calls.at(-1)).toEqual({
      name: 'rotateCredential',
      input: { merchantId: 'mer_1', kind: 'signing_secret', overlapMs },
    });
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
    const { ask, api } = await withMerchant();
    const reply = await ask('POST', `${path}/rotate`, body);
    expect([reply.status, fieldsOf(reply)]).toEqual([400, [fault]]);
    expect(api.credentials.get('mer_1')).toEqual([]);
  });

  it('are revoked once', async () => {
    const { ask } = await withMerchant();
    await ask('POST', path, { kind: 'disputes_password' });
    const revoked = await ask('DELETE', `${path}/cred_2`);
    expect([revoked.status, revoked.json]).toEqual([204, undefined]);
    const again = await ask('DELETE', `${path}/cred_2`);
    expect([again.status, again.json.error.code]).toEqual([404, 'not_found']);
    expect((await ask('GET', path)).json.items[0].revoked_at).toBe('2026-03-01T09:30:00.000Z');
  });

  it.each([
    ['GET', '/api/merchants/mer_9/credentials', undefined],
    ['POST', '/api/merchants/mer_9/credentials', { kind: 'signing_secret' }],
    ['POST', '/api/merchants/mer_9/credentials/rotate', { kind: 'signing_secret' }],
    ['DELETE', '/api/merchants/mer_9/credentials/cred_1', undefined],
  ] as const)('of an unknown merchant are not found (%s %s)', async (method, url, body) => {
    const { ask } = await withMerchant();
    const reply = await ask(method, url, body);
    expect([reply.status, reply.json.error.code]).toEqual([404, 'not_found']);
  });

  it('are not issued for an unknown kind', async () => {
    const { ask } = await withMerchant();
    const reply = await ask('POST', path, { kind: 'root' });
    expect(fieldsOf(reply)).toEqual([
      "kind: Input should be 'recovery_api_key', 'disputes_password' or 'signing_secret'",
    ]);
  });
});
