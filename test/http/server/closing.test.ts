import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createBounds } from '../../../src/http/bounds/bounds.ts';
import { jsonAnswer } from '../../../src/http/server/answer.ts';
import { createHttpServer } from '../../../src/http/server/create-http-server.ts';
import { wideBounds } from '../../kits/bounds.ts';

const words = jsonAnswer(400, { message: 'Bad Request' });

test('a connection that is busy when the server closes is answered, and then ends', async () => {
  const bounds = wideBounds();
  const app = createHttpServer({
    answers: {
      ...{ notFound: words, malformed: words, crossSite: words, wrongHost: words },
      ...{ headersTooLarge: words, tooSlow: words },
      tooMany: () => words,
    },
    bounds: createBounds(bounds, bounds.settings),
    newUuid: () => '00000000-0000-4000-8000-000000000000',
    hosts: [],
  });
  const arrived = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  app.get('/slow', async () => {
    arrived.resolve();
    await release.promise;
    return { done: true };
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const { port } = app.server.address() as AddressInfo;
  const answered = new Promise<number | undefined>((resolve) => {
    get({ port, path: '/slow', agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
  });
  await arrived.promise;
  const closed = app.close();
  await turn();
  release.resolve();
  expect(await answered).toBe(200);
  // The agent holds the connection open for as long as the server lets it.
  await closed;
}, 10_000);
