import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { credentialScopes } from '../../../src/domain/access/scopes.ts';
import { AppError } from '../../../src/domain/errors.ts';
import type { WorkFor } from '../../../src/http/bounds/bounds.ts';
import { disputesEndpoints } from '../../../src/http/disputes/endpoints.ts';
import { weights } from '../../../src/http/endpoint/weights.ts';
import { endpoints } from '../../../src/http/recovery/endpoints.ts';
import { wideBounds } from '../../kits/bounds.ts';
import { disputesKit, noAnswers } from '../../kits/disputes-server.ts';
import { apiKey, testServer } from '../../kits/recovery-server.ts';

type Of = Parameters<WorkFor>[0];

test("work is done as its merchant's, and read or written as its method says", async () => {
  const seen: unknown[] = [];
  const workFor: WorkFor = ({ sender, isRead, signal }, work) => {
    seen.push([sender, isRead, signal.aborted]);
    return work();
  };
  const { call, post } = testServer({ bounds: { ...wideBounds(), workFor } });
  await call({ method: 'GET', url: '/recover/payments' });
  await post('/recover/payments/in_1/stop', {});
  expect(seen).toEqual([
    ['mer_first', true, false],
    ['mer_first', false, false],
  ]);
});

test('work is told when its caller leaves, and ends without a word in the log', async () => {
  const begun = Promise.withResolvers<Of>();
  const workFor: WorkFor = async (of) => {
    begun.resolve(of);
    await new Promise((resolve) => of.signal.addEventListener('abort', resolve));
    throw new AppError('caller_gone');
  };
  const { listen, lines } = testServer({ bounds: { ...wideBounds(), workFor } });
  const socket = connect(await listen(), '127.0.0.1');
  socket.write(`GET /recover/payments HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: ${apiKey}\r\n\r\n`);
  const { signal } = await begun.promise;
  expect(signal.aborted).toBe(false);
  const told = once(signal, 'abort');
  socket.destroy();
  await told;
  await setImmediate();
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
});

test('whose share is used up is 429, and who shared a load with one that left may come again', async () => {
  let thrown = new AppError('share_busy');
  const workFor: WorkFor = async () => {
    throw thrown;
  };
  const { call } = testServer({ bounds: { ...wideBounds(), workFor } });
  const read = async () => {
    const { statusCode, headers } = await call({ method: 'GET', url: '/recover/payments' });
    return [statusCode, headers['retry-after']];
  };
  expect(await read()).toEqual([429, '1']);
  thrown = new AppError('caller_gone');
  expect(await read()).toEqual([503, '1']);
});

test("evidence takes as much of its caller's pace as five plain reads", async () => {
  const now = { ms: 0 };
  let begun = 0;
  const packet = async () => {
    begun += 1;
    return { kind: 'not_found' } as const;
  };
  // Two hundred reads a second, twenty of them at once.
  const bounds = { ...wideBounds({ readsPerMinute: 6_000 }), elapsedMs: () => now.ms };
  const { url } = await disputesKit({
    answers: { ...noAnswers, packet },
    bounds: { ...bounds, webhooksPerMinute: 1_000_000 },
    authenticate: async () => credentialScopes,
  });
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${url}/v1${path}`, {
      ...init,
      headers: { authorization: `Basic ${btoa('mer_1:x')}`, 'content-type': 'application/json' },
      signal: leave.signal,
    });
  const show = () => call('/disputes/dis_1/evidence');
  for (let n = 0; n < 4; n += 1) expect((await show()).status).toBe(404);
  const fifth = show();
  // A write of the same caller, which comes later, is answered meanwhile.
  expect((await call('/analytics', { method: 'POST', body: '{}' })).status).toBe(200);
  expect(begun).toBe(4);
  now.ms = 25;
  expect((await fifth).status).toBe(404);
  expect(begun).toBe(5);
});

test('every list that merchants read page by page weighs as one', () => {
  const lists = [...endpoints, ...disputesEndpoints].filter(
    ({ schema }) => schema?.query !== undefined && 'cursor' in queryFields(schema.query),
  );
  expect(lists.map(({ path, weight }) => [path, weight])).toEqual([
    ['/recover/payments', weights.page],
    ['/recover/events', weights.page],
    ['/recover/statements', weights.page],
    ['/v1/disputes', weights.page],
  ]);
});

function queryFields(query: object): object {
  return 'properties' in query ? (query.properties as object) : {};
}
