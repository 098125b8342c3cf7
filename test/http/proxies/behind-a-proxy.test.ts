import { expect, test } from 'vitest';
import { wideBounds } from '../../kits/bounds.ts';
import { operatorToken } from '../../kits/operator-server.ts';
import { operatorService } from '../../kits/operator-service.ts';
import { otherApiKey, testServer } from '../../kits/recovery-server.ts';

const path = '/recover/payments';

/** Wrong keys of one sender until it is told to wait. */
async function flooded(port: number, headers: Record<string, string>): Promise<void> {
  const controller = new AbortController();
  const isFull = Promise.withResolvers<void>();
  const guesses = Array.from({ length: 140 }, async (_, n) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { ...headers, 'x-api-key': `rk_test_guess_${n}` },
      signal: controller.signal,
    });
    if (answer.status === 429) isFull.resolve();
  });
  const ended = Promise.allSettled(guesses);
  await isFull.promise;
  controller.abort();
  await ended;
}

async function statusOf(port: number, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { ...headers, 'x-api-key': otherApiKey },
  });
  return answer.status;
}

test('behind a trusted proxy one sender that guesses keys keeps no other waiting', async () => {
  const { listen } = testServer({
    bounds: wideBounds({ strangersPerMinute: 60 }),
    proxies: ['127.0.0.1'],
  });
  const port = await listen();
  await flooded(port, { 'x-forwarded-for': '203.0.113.1' });
  expect(await statusOf(port, { 'x-forwarded-for': '203.0.113.2' })).toBe(200);
});

test('the audit log has the sender that a trusted proxy tells, and not what anybody else does', async () => {
  for (const proxies of [['127.0.0.1'], []]) {
    const { server, db } = await operatorService({ proxies });
    const headers = { authorization: 'Bearer wrong', 'x-forwarded-for': '203.0.113.7' };
    const answer = await server.inject({ url: '/api/merchants', headers });
    expect(answer.statusCode).toBe(401);
    const { rows } = await db.pool.query<{ address: string }>(
      `select address from audit_log where action = 'operator.token_refused'`,
    );
    expect(rows).toEqual([{ address: proxies.length === 0 ? '127.0.0.1' : '203.0.113.7' }]);
  }
});

test('a session that came over TLS to a trusted proxy has a cookie for TLS alone', async () => {
  for (const proxies of [['127.0.0.1'], []]) {
    const { server } = await operatorService({ proxies });
    const answer = await server.inject({
      method: 'POST',
      url: '/api/session',
      headers: { 'sec-fetch-site': 'same-origin', 'x-forwarded-proto': 'https' },
      payload: { token: operatorToken },
    });
    expect(answer.statusCode).toBe(204);
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie.endsWith('; Secure')).toBe(proxies.length > 0);
  }
});
