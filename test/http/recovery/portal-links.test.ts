import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/domain/errors.ts';
import { testServer } from '../../kits/recovery-server.ts';

const path = '/recover/portal_links';

describe('POST /recover/portal_links', () => {
  test.each([
    [{}, 86_400, 'https://recoup.example.com/portal#portal_test_1'],
    [
      { expires_in_seconds: 60, embed_origin: 'https://app.example.com' },
      60,
      'https://recoup.example.com/portal/plk_1#portal_test_1',
    ],
  ])('%j answers a link', async (body, seconds, url) => {
    const { post } = testServer();
    const answer = await post(path, body);
    const expiresAt = new Date(Date.UTC(2026, 5, 2) + seconds * 1000).toISOString();
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { ...body, id: 'plk_1', url, expires_at: expiresAt, expires_in_seconds: undefined },
    ]);
  });

  test('needs no body', async () => {
    const { call } = testServer();
    expect((await call({ method: 'POST', url: path })).statusCode).toBe(200);
  });

  test.each([
    [{ expires_in_seconds: 59 }, 'expires_in_seconds'],
    [{ expires_in_seconds: 604_801 }, 'expires_in_seconds'],
    [{ embed_origin: 'http://app.example.com' }, 'embed_origin'],
    [{ embed_origin: '*' }, 'embed_origin'],
  ])('refuses %j', async (body, at) => {
    const { api, post } = testServer();
    const answer = await post(path, body);
    expect([answer.statusCode, answer.json().errors]).toEqual([
      400,
      [{ [at]: expect.any(String) }],
    ]);
    expect(api.portalLinks).toEqual([]);
  });

  test('says that there are as many as there may be', async () => {
    const { api, post } = testServer();
    api.failure = new AppError('conflict', 'The merchant has 1000 valid links.');
    const answer = await post(path, {});
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      { message: 'Conflict', errors: 'The merchant has 1000 valid links.' },
    ]);
  });

  test('makes one link under one Idempotency-Key, whose answer is kept as a secret', async () => {
    const { api, idempotency, post } = testServer();
    const kept: (boolean | undefined)[] = [];
    const complete = idempotency.complete.bind(idempotency);
    idempotency.complete = (input) => {
      kept.push(input.isSecret);
      return complete(input);
    };
    const under = { 'idempotency-key': 'visit-1' };
    const [first, again] = [await post(path, {}, under), await post(path, {}, under)];
    expect(again.json()).toEqual(first.json());
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(api.portalLinks).toEqual(['1']);
    expect(kept).toEqual([true]);
  });
});

test('DELETE /recover/portal_links says how many links there were', async () => {
  const { call, post } = testServer();
  await post(path, {});
  await post(path, {});
  const revoke = async () => (await call({ method: 'DELETE', url: path })).json();
  expect(await revoke()).toEqual({ revoked: 2 });
  expect(await revoke()).toEqual({ revoked: 0 });
});
