import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/domain/errors.ts';
import type { WorkFor } from '../../../src/http/bounds/bounds.ts';
import { wideBounds } from '../../kits/bounds.ts';
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
