import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import type { Away } from '../../../src/recovery/admin/away.ts';
import { failedEvent } from '../../kits/billing-events.ts';
import { apiKey, otherApiKey, testServer } from '../../kits/recovery-server.ts';

interface Arrived {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The other cell: what arrives there, which it answers with a 418. */
async function otherCell() {
  const arrived: Arrived[] = [];
  const server = createServer(async (incoming, response) => {
    const { method, url, headers } = incoming;
    arrived.push({ method, url, headers, body: String(await buffer(incoming)) });
    response.writeHead(418, { 'content-type': 'application/json', 'x-of-there': 'kept' });
    response.end('{"message":"of there"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { arrived, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function cell(away: Away) {
  return testServer({
    passingOn: {
      cell: 'cell_1',
      findAway: async (merchantId) => (merchantId === 'mer_first' ? away : undefined),
    },
  });
}

const movedTo = (url: string): Away => ({ kind: 'moved', recoveryUrl: url, disputesUrl: url });
const unavailable = { statusCode: 503, headers: expect.objectContaining({ 'retry-after': '1' }) };

it('a call of a merchant that has moved goes on as it came, and its answer comes back', async () => {
  const there = await otherCell();
  const { post, call, api } = cell(movedTo(`${there.url}/`));
  const body = failedEvent();
  const answer = await post('/recover/payments?a=b', body, {
    'idempotency-key': 'key_1',
    'x-forwarded-for': '203.0.113.9',
  });
  expect([answer.statusCode, answer.json(), answer.headers['x-of-there']]).toEqual([
    418,
    { message: 'of there' },
    'kept',
  ]);
  expect(there.arrived).toMatchObject([
    {
      method: 'POST',
      url: '/recover/payments?a=b',
      headers: {
        'x-api-key': apiKey,
        'content-type': 'application/json',
        'idempotency-key': 'key_1',
        'x-forwarded-for': '203.0.113.9, 127.0.0.1',
        'recoup-passed-on-by': 'cell_1',
      },
      body: JSON.stringify(body),
    },
  ]);
  expect((await call({ url: '/recover/payments/in_1' })).statusCode).toBe(418);
  expect(there.arrived[1]).toMatchObject({
    method: 'GET',
    url: '/recover/payments/in_1',
    body: '',
  });
  // Nothing of it was done here.
  expect(api.acceptedPayments).toEqual([]);
});

it('calls of others stay here, and nobody without a key is passed on', async () => {
  const there = await otherCell();
  const { call } = cell(movedTo(there.url));
  const others = await call({ url: '/recover/payments', headers: { 'x-api-key': otherApiKey } });
  const strangers = await call({ url: '/recover/payments', headers: { 'x-api-key': 'rk_x' } });
  expect([others.statusCode, strangers.statusCode]).toEqual([200, 403]);
  expect(there.arrived).toEqual([]);
});

it('a call that names a whole address goes to the other cell by its path alone', async () => {
  const there = await otherCell();
  const { listen } = cell(movedTo(there.url));
  const asked = request({
    port: await listen(),
    path: 'http://anywhere.example/recover/payments?a=b',
    headers: { host: '127.0.0.1', 'x-api-key': apiKey },
  });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(418);
  expect(there.arrived).toMatchObject([{ method: 'GET', url: '/recover/payments?a=b' }]);
});

it('on its way, a merchant is asked to come again', async () => {
  const { post } = cell({ kind: 'closed' });
  expect(await post('/recover/payments', failedEvent())).toMatchObject(unavailable);
});

it('nothing that listens there is told in the log, and asks to come again', async () => {
  const { post, lines } = cell(movedTo('http://127.0.0.1:1'));
  expect(await post('/recover/payments', failedEvent())).toMatchObject(unavailable);
  expect(lines).toMatchObject([
    { level: 'error', text: 'a call could not be passed on' },
    ...lines.slice(1),
  ]);
});

it('an address that leads back here ends at the second time', async () => {
  const there = await otherCell();
  const { call } = cell(movedTo(there.url));
  const answer = await call({
    url: '/recover/payments',
    headers: { 'recoup-passed-on-by': 'cell_3 cell_1' },
  });
  expect(answer).toMatchObject(unavailable);
  expect(there.arrived).toEqual([]);
});

it('a body that no endpoint takes is not passed on', async () => {
  const there = await otherCell();
  const { post } = cell(movedTo(there.url));
  expect((await post('/recover/payments', { x: 'y'.repeat(70_000) })).statusCode).toBe(400);
  expect(there.arrived).toEqual([]);
});
