import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expressRoute } from '../../sdk/src/adapters/express.ts';
import { fastifyRoutes } from '../../sdk/src/adapters/fastify.ts';
import { honoRoute } from '../../sdk/src/adapters/hono.ts';
import { nextRoute } from '../../sdk/src/adapters/next.ts';
import { nodeListener, RawBodyError } from '../../sdk/src/adapters/node.ts';
import { retry, retryStatusHandler, webhookHandler } from '../../sdk/src/index.ts';
import { signedWebhook, webhookSecret } from '../kits/signed-webhook.ts';

// Spaces and an escape that a parser would not keep: only the raw bytes fit the signature.
const webhook = signedWebhook({ data: { invoice_id: 'in_1', note: '\u20ac "quoted"' } });

function handlers() {
  const invoices: unknown[] = [];
  return {
    invoices,
    hook: webhookHandler({
      secrets: webhookSecret,
      onEvent: ({ data }) => void invoices.push(data.invoice_id),
    }),
    status: retryStatusHandler({
      auth: { type: 'none' },
      decide: ({ invoiceId }) => {
        invoices.push(invoiceId);
        return retry();
      },
    }),
  };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function postWebhook(url: string): Promise<number> {
  const { headers, body } = webhook;
  return (await fetch(`${url}/webhooks/retry-results`, { method: 'POST', headers, body })).status;
}

async function askStatus(url: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const body = '{"custom":{}}';
  return (await fetch(`${url}/retry/in_2`, { method: 'POST', headers, body })).json();
}

const yes = { retry: true, reason: 'Invoice open' };

test('Node: both addresses, and a body that is larger than any webhook', async () => {
  const { hook, status, invoices } = handlers();
  const [onHook, onStatus] = [nodeListener(hook), nodeListener(status)];
  const url = await listen(
    createServer((request, response) => {
      const serve = request.url?.startsWith('/retry/') ? onStatus : onHook;
      serve(request, response);
    }),
  );
  expect(await postWebhook(url)).toBe(200);
  expect(await askStatus(url)).toEqual(yes);
  expect(invoices).toEqual(['in_1', 'in_2']);
  const huge = await fetch(url, { method: 'POST', body: 'x'.repeat(1_200_000) });
  expect(huge.status).toBe(413);
});

describe('Express', () => {
  async function serve(mount: (app: express.Express, route: express.RequestHandler) => void) {
    const { hook, status, invoices } = handlers();
    const errors: unknown[] = [];
    const app = express();
    app.post('/retry/:invoiceId', expressRoute(status));
    mount(app, expressRoute(hook));
    const onError: express.ErrorRequestHandler = (error, _request, response, _next) => {
      errors.push(error);
      response.sendStatus(500);
    };
    app.use(onError);
    return { url: await listen(createServer(app)), invoices, errors };
  }
  const path = '/webhooks/retry-results';

  test('before express.json(), in a router', async () => {
    const { url, invoices } = await serve((app, route) => {
      app.use('/webhooks', express.Router().post('/retry-results', route));
      app.use(express.json());
    });
    expect(await postWebhook(url)).toBe(200);
    expect(await askStatus(url)).toEqual(yes);
    expect(invoices).toEqual(['in_1', 'in_2']);
  });

  test.each([
    ['raw', express.raw({ type: '*/*' })],
    ['text', express.text({ type: '*/*' })],
  ])('after express.%s()', async (_name, parser) => {
    const { url } = await serve((app, route) => app.post(path, parser, route));
    expect(await postWebhook(url)).toBe(200);
  });

  test('after express.json() it says what to do, and acknowledges nothing', async () => {
    const { url, errors, invoices } = await serve((app, route) => {
      app.use(express.json());
      app.post(path, route);
    });
    expect(await postWebhook(url)).toBe(500);
    expect(errors).toMatchObject([{ reason: 'body_not_raw' }]);
    expect(errors[0]).toBeInstanceOf(RawBodyError);
    expect(invoices).toEqual([]);
  });
});

test("Fastify: raw within the plugin, Fastify's own parser elsewhere", async () => {
  const { hook, status, invoices } = handlers();
  const app = fastify();
  onTestFinished(() => app.close());
  await app.register(
    fastifyRoutes({ '/webhooks/retry-results': hook, '/retry/:invoiceId': status }),
  );
  app.post('/other', async (request) => ({ parsed: request.body }));
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  expect(await postWebhook(url)).toBe(200);
  expect(await askStatus(url)).toEqual(yes);
  const bodyless = await fetch(`${url}/retry/in_3`, { method: 'POST' });
  expect(await bodyless.json()).toEqual(yes);
  expect((await fetch(`${url}/webhooks/retry-results`)).status).toBe(405);
  const headers = { 'content-type': 'application/json' };
  const other = await fetch(`${url}/other`, { method: 'POST', headers, body: '{"a":1}' });
  expect(await other.json()).toEqual({ parsed: { a: 1 } });
  expect(invoices).toEqual(['in_1', 'in_2', 'in_3']);
});

test('Hono: also when a middleware has read the body', async () => {
  const { hook, status, invoices } = handlers();
  const app = new Hono();
  app.post('/retry/:invoiceId', honoRoute(status));
  app.use('/webhooks/*', async ({ req }, next) => {
    await req.json();
    await next();
  });
  app.post('/webhooks/retry-results', honoRoute(hook));
  const { headers, body } = webhook;
  const init = { method: 'POST', headers, body };
  expect((await app.request('/webhooks/retry-results', init)).status).toBe(200);
  expect(await (await app.request('/retry/in_2', { method: 'POST' })).json()).toEqual(yes);
  expect(invoices).toEqual(['in_1', 'in_2']);
});

test('Next: a request is passed as it is', async () => {
  const { hook, invoices } = handlers();
  const POST = nextRoute(hook);
  const { headers, body } = webhook;
  const request = new Request('https://shop.example/x', { method: 'POST', headers, body });
  expect((await POST(request)).status).toBe(200);
  expect(invoices).toEqual(['in_1']);
});
