import { Agent, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { expect, it, onTestFinished } from 'vitest';
import { sendThrough } from '../../src/psp/send-gate.ts';
import { watchedCall } from '../../src/psp/watched-call.ts';
import { brokenPsp, deadAddress } from './broken-psp.ts';

const rules = { deadlineMs: 5_000, answerBytes: 1_000 };

it('gives the value of a call that was answered, and its status', async () => {
  const psp = await brokenPsp((_request, response) => response.writeHead(201).end('made'));
  const pool = ending(new Agent({ keepAlive: true }));
  const call = () => watchedCall(pool, rules, (agent) => send(psp.url, agent));
  expect(await call()).toEqual({ kind: 'answered', status: 201, value: 'made' });
  expect(await call()).toEqual({ kind: 'answered', status: 201, value: 'made' });
  const ports = psp.requests.map(({ socket }) => socket.remotePort);
  expect(new Set(ports).size, 'one kept connection').toBe(1);
});

it('tells a whole answer that was refused from one that was lost', async () => {
  const psp = await brokenPsp((incoming, response) => {
    response.writeHead(429, { 'retry-after': '7', 'content-length': '4' });
    if (incoming.url === '/whole') response.end('busy');
    else response.write('bu', () => incoming.socket.destroy());
  });
  const call = (path: string) =>
    watchedCall(ending(new Agent()), rules, async (agent) => {
      await send(`${psp.url}${path}`, agent);
      throw new Error('refused by the SDK');
    });
  expect(await call('/whole')).toMatchObject({
    kind: 'refused',
    status: 429,
    headers: { 'retry-after': '7' },
  });
  expect(await call('/half')).toMatchObject({ kind: 'lost' });
});

it.each([
  ['nobody listens', (url: string) => url, deadAddress],
  ['the connection cannot be made secure', (url: string) => url.replace('http', 'https'), plain],
])('knows that nothing was sent when %s', async (_what, urlOf, start) => {
  const url = urlOf(await start());
  const pool = ending(url.startsWith('https') ? new SecureAgent() : new Agent());
  const sent = await watchedCall(pool, rules, (agent) => send(url, agent));
  expect(sent).toMatchObject({ kind: 'not_sent', reason: expect.stringMatching(/failed \(\w+\)/) });
});

it('sends nothing once the deadline has passed in the queue for a connection', async () => {
  const psp = await brokenPsp(() => undefined);
  const pool = ending(new Agent({ maxSockets: 1 }));
  const both = [1_000, 300].map((deadlineMs) =>
    watchedCall(pool, { ...rules, deadlineMs }, (agent) => send(psp.url, agent)),
  );
  expect((await Promise.all(both)).map(({ kind }) => kind)).toEqual(['lost', 'not_sent']);
  expect(psp.requests).toHaveLength(1);
});

it('reads no more of an answer than it may', async () => {
  const psp = await brokenPsp((_request, response) => response.end('x'.repeat(1_001)));
  const sent = await watchedCall(ending(new Agent()), rules, (agent) => send(psp.url, agent));
  expect(sent).toEqual({ kind: 'lost', reason: 'the answer is larger than 1000 bytes' });
});

it('ends several calls by one deadline, after which nothing is sent', async () => {
  const psp = await brokenPsp(() => undefined);
  const pool = ending(new Agent());
  const shared = { ...rules, deadline: AbortSignal.timeout(500) };
  const call = () => watchedCall(pool, shared, (agent) => send(psp.url, agent));
  expect([await call(), await call()].map(({ kind }) => kind)).toEqual(['lost', 'not_sent']);
  expect(psp.requests).toHaveLength(1);
});

it('sends nothing through a gate that has closed, and says why', async () => {
  const psp = await brokenPsp((_request, response) => response.end('made'));
  const call = (closed: string | undefined) =>
    sendThrough({ closedBecause: () => closed }, () =>
      watchedCall(ending(new Agent()), rules, (agent) => send(psp.url, agent)),
    );
  expect(await call('the lease is over')).toEqual({
    kind: 'not_sent',
    reason: 'the lease is over',
  });
  expect(psp.requests).toEqual([]);
  expect(await call(undefined)).toMatchObject({ kind: 'answered', value: 'made' });
});

it('knows nothing of a call whose requests went past it', async () => {
  const sent = await watchedCall(ending(new Agent()), rules, () => Promise.reject(new Error('no')));
  expect(sent).toMatchObject({ kind: 'lost' });
});

async function plain(): Promise<string> {
  return (await brokenPsp((_request, response) => response.end())).url;
}

function ending<Pool extends Agent>(pool: Pool): Pool {
  onTestFinished(() => pool.destroy());
  return pool;
}

/** A client as SDKs are: it knows neither deadlines nor sizes. */
function send(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const sending = url.startsWith('https') ? secureRequest : request;
    const outgoing = sending(url, { method: 'POST', agent }, (incoming) => {
      let text = '';
      incoming.on('data', (chunk) => {
        text += chunk;
      });
      incoming.on('end', () => resolve(text));
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end('charge');
  });
}
