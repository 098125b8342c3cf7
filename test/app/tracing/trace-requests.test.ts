import { type AddressInfo, connect } from 'node:net';
import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { traceRequests } from '../../../src/app/tracing/trace-requests.ts';
import { keepSpans } from '../../kits/kept-spans.ts';

function start() {
  const tracing = keepSpans();
  const server = fastify();
  onTestFinished(() => server.close());
  const asked = Promise.withResolvers<void>();
  server.get('/payments/:id', async () => ({ running: tracing.running() ?? null }));
  server.get('/fails', (_request, reply) => reply.code(503).send({}));
  server.get('/waits', () => {
    asked.resolve();
    return new Promise(() => undefined);
  });
  traceRequests(tracing, server, 'recovery');
  const left = Promise.withResolvers<void>();
  server.addHook('onRequestAbort', (_request, done) => {
    left.resolve();
    done();
  });
  return { tracing, server, asked, left };
}

test('a request is one span by its route, and is answered within it', async () => {
  const { tracing, server } = start();
  const answer = await server.inject({ url: '/payments/in_1?search=jane@example.com' });
  expect(answer.json()).toEqual({ running: 'GET /payments/:id' });
  expect(tracing.spans).toMatchObject([
    {
      name: 'GET /payments/:id',
      kind: 'server',
      attributes: { 'http.route': '/payments/:id', 'recoup.api': 'recovery' },
      noted: { 'http.response.status_code': 200 },
      ends: 1,
    },
  ]);
  expect(JSON.stringify(tracing.spans)).not.toMatch(/in_1|jane/);
});

test('a fault of the server fails its span', async () => {
  const { tracing, server } = start();
  await server.inject({ url: '/fails' });
  expect(tracing.spans).toMatchObject([{ failure: 'status 503', ends: 1 }]);
});

test('a caller who leaves ends the span', async () => {
  const { tracing, server, asked, left } = start();
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /waits HTTP/1.1\r\nHost: a\r\n\r\n');
  await asked.promise;
  socket.destroy();
  await left.promise;
  expect(tracing.spans).toMatchObject([{ failure: 'the caller left', ends: 1 }]);
});
