import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { operatorToken } from '../kits/operator-server.ts';
import { type OperatorService, operatorService } from '../kits/operator-service.ts';

interface Stream {
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>;
}

async function originOf({ server }: OperatorService): Promise<string> {
  if (!server.server.listening) await server.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}

async function cookieOf(service: OperatorService, token: string): Promise<string> {
  const origin = await originOf(service);
  const signedIn = await fetch(`${origin}/api/session`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  return signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** A stream that has begun. */
async function listen(service: OperatorService, headers: Record<string, string>): Promise<Stream> {
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const url = `${await originOf(service)}/api/live`;
  const answer = await fetch(url, { headers, signal: closing.signal });
  expect(answer.status).toBe(200);
  const reader = answer.body?.getReader();
  await reader?.read();
  const toItsEnd = async () => {
    while ((await reader?.read())?.done === false);
  };
  return { ended: toItsEnd() };
}

async function operatorOf(service: OperatorService) {
  const { json } = await service.ask('POST', '/api/operators', { name: 'K. Ito', role: 'viewer' });
  const issued = await service.ask('POST', `/api/operators/${json.id}/tokens`);
  return { id: String(json.id), token: String(issued.json.text), tokenId: String(issued.json.id) };
}

it('a stream ends with the answer to the sign-out of its session, and no other does', async () => {
  const service = await operatorService();
  const cookie = await cookieOf(service, operatorToken);
  const first = await listen(service, { cookie });
  const other = await listen(service, { cookie: await cookieOf(service, operatorToken) });
  const origin = await originOf(service);
  const headers = { cookie, origin };
  expect((await fetch(`${origin}/api/session`, { method: 'DELETE', headers })).status).toBe(204);
  await first.ended;
  expect(await Promise.race([other.ended.then(() => 'ended'), 'open'])).toBe('open');
});

it.each([
  ['another role', 'PATCH', '', { role: 'disputes' }],
  ['removal', 'DELETE', '', undefined],
] as const)('%s ends what the operator listens to', async (_what, method, path, body) => {
  const service = await operatorService();
  const { id, token } = await operatorOf(service);
  const bySession = await listen(service, { cookie: await cookieOf(service, token) });
  const byToken = await listen(service, { authorization: `Bearer ${token}` });
  expect((await service.ask(method, `/api/operators/${id}${path}`, body)).status).toBeLessThan(300);
  await Promise.all([bySession.ended, byToken.ended]);
});

it('a revoked token ends what was opened with it', async () => {
  const service = await operatorService();
  const { id, token, tokenId } = await operatorOf(service);
  const byToken = await listen(service, { authorization: `Bearer ${token}` });
  const bySession = await listen(service, { cookie: await cookieOf(service, token) });
  await service.ask('DELETE', `/api/operators/${id}/tokens/${tokenId}`);
  await Promise.all([byToken.ended, bySession.ended]);
});

it('what another process changed ends it too', async () => {
  const service = await operatorService();
  const { id, token } = await operatorOf(service);
  const stream = await listen(service, { cookie: await cookieOf(service, token) });
  await service.db.pool.query('delete from operator_sessions where operator_id = $1', [id]);
  await stream.ended;
});
