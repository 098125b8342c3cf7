import { expect, test } from 'vitest';
import { LoopLoad, type Priority } from '../../../src/http/bounds/loop-load.ts';
import { wideBounds } from '../../kits/bounds.ts';
import { operatorKit } from '../../kits/operator-server.ts';
import { testServer } from '../../kits/recovery-server.ts';

const second = 20;

/** A load of which the timers of a second were so late. */
function lateBy(load: LoopLoad, delayMs: number, samples = second): LoopLoad {
  for (let n = 0; n < samples; n += 1) load.note(delayMs);
  return load;
}

const given = (load: LoopLoad) =>
  (['queued', 'read', 'write', 'webhook'] satisfies Priority[]).filter((priority) =>
    load.givesUp(priority),
  );

test.each([
  [99, []],
  [100, ['queued']],
  [200, ['queued', 'read']],
  [400, ['queued', 'read', 'write']],
  [800, ['queued', 'read', 'write', 'webhook']],
])('with timers %d ms late it gives up %j', (delayMs, priorities) => {
  expect(given(lateBy(new LoopLoad(100), delayMs))).toEqual(priorities);
});

test('what was given up is taken again below half the delay at which it began', () => {
  const load = lateBy(new LoopLoad(100), 200);
  expect(lateBy(load, 100).level).toBe(2);
  expect(lateBy(load, 99).level).toBe(1);
  expect(lateBy(load, 50).level).toBe(1);
  expect(lateBy(load, 49).level).toBe(0);
});

test('one long piece of work, or less than a second of it, is no load', () => {
  const load = lateBy(new LoopLoad(100), 5_000, second - 1);
  expect(load.level).toBe(0);
  lateBy(load, 0);
  load.note(10_000);
  expect([load.level, load.delayMs]).toEqual([0, 0]);
});

test('0 gives up nothing', () => {
  expect(lateBy(new LoopLoad(0), 60_000).level).toBe(0);
});

test('reads and strangers are refused before writes, with the time to come again', async () => {
  const load = new LoopLoad(100);
  const { call, post } = testServer({ bounds: { ...wideBounds(), load } });
  const asked = async () => [
    (await call({ method: 'GET', url: '/recover/payments' })).statusCode,
    (await call({ method: 'GET', url: '/docs' })).statusCode,
    (await post('/recover/payments/in_1/stop', {}, { 'x-api-key': 'rk_test_guess' })).statusCode,
    (await post('/recover/payments/in_1/stop', {})).statusCode,
  ];
  expect(await asked()).toEqual([200, 200, 403, 404]);
  lateBy(load, 200);
  expect(await asked()).toEqual([503, 503, 503, 404]);
  lateBy(load, 400);
  const refused = await post('/recover/payments/in_1/stop', {});
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
  lateBy(load, 0);
  expect(await asked()).toEqual([200, 200, 403, 404]);
});

test('probes are answered however late everything is', async () => {
  const load = lateBy(new LoopLoad(100), 60_000);
  const { server } = operatorKit({ bounds: { ...wideBounds(), load } });
  for (const url of ['/healthz', '/readyz', '/metrics']) {
    expect((await server.inject({ url })).statusCode, url).toBe(200);
  }
  expect((await server.inject({ url: '/docs' })).statusCode).toBe(503);
});
