import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { SandboxLedger } from '../../../src/psp/sandbox/server/ledger.ts';
import {
  createSandboxServer,
  startSandboxPsp,
} from '../../../src/psp/sandbox/server/sandbox-server.ts';
import {
  apiKey,
  call,
  charge,
  clock,
  folder,
  gatewayTo,
  plain,
  random,
  sandbox,
} from './sandbox-kit.ts';

it('answers a success with what was charged', async () => {
  const { url } = await sandbox();
  const answer = await charge(url, { customer: 'cus_1', metadata: { order: 'A-1' } }, 'key-a');
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    ...plain,
    id: expect.stringMatching(/^ch_sandbox_[0-9a-z]{24}$/),
    status: 'succeeded',
    created_at: '2026-11-02T09:00:00.000Z',
    idempotency_key: 'key-a',
    customer: 'cus_1',
    metadata: { order: 'A-1' },
    network_transaction_id: expect.stringMatching(/^\d{15}$/),
  });
});

it('answers a decline with its codes', async () => {
  const { url } = await sandbox();
  const answer = await charge(url, { payment_method: 'pm_sandbox_decline_r1_mac_21' });
  expect(answer.status).toBe(402);
  expect(answer.body).toMatchObject({
    id: expect.stringMatching(/^ch_sandbox_/),
    status: 'declined',
    network: 'mastercard',
    error: {
      type: 'card_error',
      code: 'revocation_of_authorization',
      network_code: 'R1',
      advice_code: '21',
      message: 'Revocation of authorisation. Payment cancelled by the cardholder.',
    },
  });
});

it('repeats its first answer to the same key, object keys in any order', async () => {
  const { url } = await sandbox();
  const token = { id: 'tok_1', card_validation_number: '123' };
  const first = await charge(url, { metadata: { a: 1, b: { c: 2 } }, token }, 'key-a');
  const again = await charge(url, { token, metadata: { b: { c: 2 }, a: 1 } }, 'key-a');
  expect(again.status).toBe(200);
  expect(again.body).toEqual(first.body);
  expect(first.headers['idempotent-replayed']).toBeUndefined();
  expect(again.headers['idempotent-replayed']).toBe('true');
});

it('repeats a decline whose first answer was lost', async () => {
  const { url } = await sandbox();
  const lost = { payment_method: 'pm_sandbox_lost_decline' };
  await expect(charge(url, lost, 'key-a')).rejects.toThrow();
  expect(await charge(url, lost, 'key-a')).toMatchObject({
    status: 402,
    headers: { 'idempotent-replayed': 'true' },
  });
});

it('refuses a key that comes back with other parameters', async () => {
  const { url } = await sandbox();
  await charge(url, { metadata: { order: 'A-1' } }, 'key-a');
  for (const other of [{ amount: 2_000 }, { metadata: { order: 'A-2' } }, { token: { id: 't' } }]) {
    const answer = await charge(url, { metadata: { order: 'A-1' }, ...other }, 'key-a');
    expect(answer).toMatchObject({ status: 422, body: { error: { type: 'idempotency_error' } } });
  }
});

it('keeps the keys of two merchants apart', async () => {
  const { url } = await sandbox();
  const one = await charge(url, { merchant: 'mer_1' }, 'key-a');
  const other = await charge(url, { merchant: 'mer_2' }, 'key-a');
  expect(other.status).toBe(200);
  expect(other.body.id).not.toBe(one.body.id);
});

it('refuses a key whose charge is under way, and holds that charge back until it is kept', async () => {
  const { ledger, arrived, written } = heldLedger();
  const url = await listening(createSandboxServer({ clock, random, ledger, apiKey }));
  const first = charge(url, {}, 'key-a');
  await arrived.promise;
  expect(await charge(url, {}, 'key-a')).toMatchObject({ status: 409 });
  written.resolve();
  expect(await first).toMatchObject({ status: 200 });
  expect(await charge(url, {}, 'key-a')).toMatchObject({ status: 200 });
});

it('counts the tries of an invoice, declines included, whatever the method', async () => {
  const { url } = await sandbox();
  const third = { payment_method: 'pm_sandbox_success_after_3' };
  const statuses = [
    await charge(url, third),
    await charge(url, { payment_method: 'pm_sandbox_decline_05' }),
    await charge(url, { ...third, invoice: 'in_2' }),
    await charge(url, { ...third, merchant: 'mer_2' }),
    await charge(url, { payment_method: 'pm_sandbox_unavailable' }),
    await charge(url, third),
  ].map((answer) => answer.status);
  expect(statuses).toEqual([402, 402, 402, 402, 503, 200]);
});

it('makes nothing when it is unavailable', async () => {
  const { url } = await sandbox();
  const answer = await charge(url, { payment_method: 'pm_sandbox_unavailable--4' });
  expect(answer).toMatchObject({
    status: 503,
    headers: { 'retry-after': '60' },
    body: { error: { type: 'unavailable' } },
  });
  expect((await call(url, 'GET', '/v1/charges')).body).toEqual({ data: [], has_more: false });
});

it('makes nothing where it refuses the method', async () => {
  const { url } = await sandbox();
  expect(await charge(url, { payment_method: 'pm_sandbox_not_found' })).toMatchObject({
    status: 400,
    body: { error: { type: 'invalid_request_error', param: 'payment_method' } },
  });
  expect((await call(url, 'GET', '/v1/charges')).body).toEqual({ data: [], has_more: false });
});

it('declines a method that it does not have', async () => {
  const { url } = await sandbox();
  expect(await charge(url, { payment_method: 'pm_1Nx' })).toMatchObject({
    status: 402,
    body: { error: { code: 'no_such_payment_method', network_code: '14' } },
  });
});

it.each([
  ['no API key', {}],
  ['a wrong API key', { authorization: 'Bearer other_keys' }],
  ['another scheme', { authorization: `Basic ${apiKey}` }],
])('refuses a request with %s', async (_what, headers) => {
  const { url } = await sandbox();
  const given = { authorization: '', ...headers, 'idempotency-key': 'key-a' };
  for (const [method, path] of [
    ['POST', '/v1/charges'],
    ['GET', '/v1/charges'],
    ['GET', '/v1/charges/ch_1'],
  ] as const) {
    const body = method === 'POST' ? plain : undefined;
    const answer = await call(url, method, path, { headers: given, body });
    expect(answer).toMatchObject({
      status: 401,
      body: { error: { type: 'authentication_error' } },
    });
  }
});

it.each([
  ['amount', { amount: 0 }],
  ['amount', { amount: -5 }],
  ['amount', { amount: 12.5 }],
  ['amount', { amount: '1999' }],
  ['amount', { amount: 1e15 }],
  ['amount', { amount: undefined }],
  ['currency', { currency: 'usd' }],
  ['currency', { currency: 'DOLLAR' }],
  ['currency', { currency: null }],
  ['payment_method', { payment_method: undefined }],
  ['payment_method', { payment_method: 17 }],
  ['payment_method', { payment_method: 'x'.repeat(256) }],
  ['invoice', { invoice: '' }],
  ['merchant', { merchant: undefined }],
  ['customer', { customer: {} }],
  ['metadata', { metadata: 'order' }],
  ['metadata', { metadata: [] }],
  ['metadata', { metadata: nested(40) }],
  ['token', { token: 'tok_1' }],
  ['expiration_month', { token: { expiration_month: 4 } }],
  ['card_validation_number', { token: { card_validation_number: 123 } }],
  ['billing_address', { billing_address: 'Main Street' }],
])('refuses a bad %s (%j)', async (param, fields) => {
  const { url } = await sandbox();
  const answer = await charge(url, fields);
  expect(answer).toMatchObject({
    status: 400,
    body: { error: { type: 'invalid_request_error', param } },
  });
  expect((await call(url, 'GET', '/v1/charges')).body.data).toEqual([]);
});

it.each([
  ['no JSON', '{"amount":'],
  ['a text', '"charge"'],
  ['a null', 'null'],
  ['a list', '[]'],
  ['deep nesting', '['.repeat(30_000)],
  ['nothing', ''],
])('refuses a body that is %s', async (_what, body) => {
  const { url } = await sandbox();
  const headers = { 'idempotency-key': 'key-a' };
  expect(await call(url, 'POST', '/v1/charges', { headers, body })).toMatchObject({ status: 400 });
});

it('refuses a body that is too large, and goes on', async () => {
  const { url } = await sandbox();
  const answer = await charge(url, { metadata: { text: 'x'.repeat(65 * 1024) } });
  expect(answer.status).toBe(413);
  expect(await charge(url)).toMatchObject({ status: 200 });
});

it.each([
  ['missing', {}],
  ['empty', { 'idempotency-key': '' }],
  ['too long', { 'idempotency-key': 'x'.repeat(256) }],
])('refuses a charge whose key is %s', async (_what, headers) => {
  const { url } = await sandbox();
  const answer = await call(url, 'POST', '/v1/charges', { headers, body: plain });
  expect(answer).toMatchObject({ status: 400 });
});

it('knows no other paths and methods', async () => {
  const { url } = await sandbox();
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/v1/charges/ch_sandbox_none'],
    ['POST', '/v1/charges/ch_1'],
    ['GET', '/v1/refunds'],
  ] as const) {
    expect(await call(url, method, path)).toMatchObject({ status: 404 });
  }
});

it('lists charges oldest first, page by page', async () => {
  const { url } = await sandbox();
  const ids: string[] = [];
  for (let at = 0; at < 5; at += 1) ids.push((await charge(url, { invoice: `in_${at}` })).body.id);
  const listed: string[] = [];
  let path = '/v1/charges?limit=2';
  for (let pages = 1; ; pages += 1) {
    const { body } = await call(url, 'GET', path);
    listed.push(...body.data.map((item: { id: string }) => item.id));
    expect(body.has_more).toBe(pages < 3);
    if (!body.has_more) break;
    path = `/v1/charges?limit=2&cursor=${body.next_cursor}`;
  }
  expect(listed).toEqual(ids);
});

it('lists by merchant, invoice and key, alone and together', async () => {
  const { url } = await sandbox();
  await charge(url, { merchant: 'mer_1', invoice: 'in_1' }, 'key-a');
  await charge(url, { merchant: 'mer_1', invoice: 'in_1' }, 'key-b');
  await charge(url, { merchant: 'mer_1', invoice: 'in_2' }, 'key-c');
  await charge(url, { merchant: 'mer_2', invoice: 'in_1' }, 'key-a');
  const keysOf = async (query: string) => {
    const { body } = await call(url, 'GET', `/v1/charges?${query}`);
    return body.data.map((item: { idempotency_key: string }) => item.idempotency_key);
  };
  expect(await keysOf('merchant=mer_1')).toEqual(['key-a', 'key-b', 'key-c']);
  expect(await keysOf('invoice=in_1')).toEqual(['key-a', 'key-b', 'key-a']);
  expect(await keysOf('idempotency_key=key-a')).toEqual(['key-a', 'key-a']);
  expect(await keysOf('merchant=mer_1&invoice=in_1')).toEqual(['key-a', 'key-b']);
  expect(await keysOf('merchant=mer_2&idempotency_key=key-a')).toEqual(['key-a']);
  expect(await keysOf('merchant=mer_1&idempotency_key=key-a&invoice=in_2')).toEqual([]);
});

it('finds a charge that reached the machine before the question was answered', async () => {
  const { port } = await sandbox();
  const [asking, charging] = await Promise.all([connected(port), connected(port)]);
  const answer = once(asking, 'data');
  // Both are on the wire before the server runs again, the question first.
  asking.write(raw('GET', '/v1/charges?merchant=mer_1&idempotency_key=key-a'));
  charging.write(raw('POST', '/v1/charges', JSON.stringify(plain)));
  expect(String(await answer)).toContain('"idempotency_key":"key-a"');
});

it('shows one charge', async () => {
  const { url } = await sandbox();
  const made = await charge(url, { payment_method: 'pm_sandbox_decline_51' });
  const shown = await call(url, 'GET', `/v1/charges/${made.body.id}`);
  expect(shown).toMatchObject({ status: 200, body: made.body });
});

it.each([
  'limit=0',
  'limit=201',
  'limit=ten',
  'limit=',
  'cursor=ch_none',
  'invoices=in_1',
  '__proto__=x',
])('refuses a list by %s', async (query) => {
  const { url } = await sandbox();
  expect(await call(url, 'GET', `/v1/charges?${query}`)).toMatchObject({ status: 400 });
});

it('says that its port is taken', async () => {
  const { port } = await sandbox();
  const ledgerDir = await folder();
  const second = startSandboxPsp({ clock, random }, { host: '127.0.0.1', port, apiKey, ledgerDir });
  await expect(second).rejects.toMatchObject({ code: 'port_taken' });
});

it('says that its address cannot be listened on', async () => {
  const second = startSandboxPsp({ clock, random }, { host: '203.0.113.7', port: 0, apiKey });
  await expect(second).rejects.toMatchObject({ code: 'config_invalid' });
});

it('ends with kept connections open', async () => {
  const psp = await startSandboxPsp({ clock, random }, { host: '127.0.0.1', port: 0, apiKey });
  await charge(psp.url);
  await psp.close();
  await expect(charge(psp.url)).rejects.toThrow('ECONNREFUSED');
});

it('answers the charge in flight when it closes, then lets its connection go', async () => {
  const { ledger, arrived, written } = heldLedger();
  const server = createSandboxServer({ clock, random, ledger, apiKey });
  const gateway = gatewayTo(await listening(server));
  const charging = gateway.charge({
    merchantId: 'mer_1',
    invoiceId: 'in_1',
    idempotencyKey: 'key-a',
    amountMinor: 100,
    currency: 'USD',
    paymentMethodId: 'pm_sandbox_success',
  });
  await arrived.promise;
  const closed = once(server, 'close');
  server.close();
  written.resolve();
  expect(await charging).toMatchObject({ kind: 'succeeded' });
  await closed;
});

/** A ledger that says when a charge arrived, and keeps it when it is told that it is written. */
function heldLedger() {
  const written = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const ledger = new SandboxLedger({
    append: () => {
      arrived.resolve();
      return written.promise;
    },
    settled: () => written.promise,
    close: () => Promise.resolve(),
  });
  return { ledger, arrived, written };
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

function raw(method: string, path: string, body = ''): string {
  const headers = {
    host: 'sandbox',
    authorization: `Bearer ${apiKey}`,
    'idempotency-key': 'key-a',
    'content-length': body.length,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

function nested(levels: number): object {
  return levels === 0 ? {} : { in: nested(levels - 1) };
}
