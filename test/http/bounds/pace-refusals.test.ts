import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { wideBounds } from '../../kits/bounds.ts';
import { otherApiKey, testServer } from '../../kits/recovery-server.ts';

/** Answers that a connection has had, and when so many are there. */
function flood(port: number, request: string, times: number) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let count = 0;
  let onMore = (): void => undefined;
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    count += text.split('HTTP/1.1 ').length - 1;
    onMore();
  });
  socket.write(request.repeat(times));
  return {
    count: () => count,
    async atLeast(wanted: number) {
      while (count < wanted) await new Promise<void>((done) => (onMore = done));
    },
  };
}

test('a sender is refused so many times in a second, and nobody else waits for that', async () => {
  // One refusal every twelve seconds, after those that go out at once.
  const { listen, call } = testServer({ bounds: wideBounds({ strangersPerMinute: 1 }) });
  const port = await listen();
  const refused = flood(port, 'GET /recover/payments HTTP/1.1\r\nHost: evil.example\r\n\r\n', 400);
  await refused.atLeast(190);
  const headers = { 'x-api-key': otherApiKey };
  expect((await call({ method: 'GET', url: '/recover/payments', headers })).statusCode).toBe(200);
  const unknown = await call({ method: 'GET', url: '/recover/payments/in_0', headers });
  expect(unknown.statusCode).toBe(404);
  expect(refused.count()).toBeLessThan(205);
});
