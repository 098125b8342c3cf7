import { randomBytes } from 'node:crypto';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { onTestFinished } from 'vitest';
import { credentialScopes } from '../../src/domain/access/scopes.ts';
import type { Caller } from '../../src/http/recovery/caller.ts';
import {
  createRecoveryServer,
  type RecoveryServerDeps,
} from '../../src/http/recovery/create-recovery-server.ts';
import { merchantOpenApi } from '../../src/merchant/open-api/merchant-open-api.ts';
import { wideBounds } from './bounds.ts';
import { FakeIdempotency } from './fake-idempotency.ts';
import { type FakeRecoveryApi, fakeRecoveryApi } from './fake-recovery-api.ts';
import { hostsOfTests } from './raw-http.ts';

export const apiKey = 'rk_test_of_the_first_merchant';
export const otherApiKey = 'rk_test_of_the_second_merchant';

const callers: Readonly<Record<string, Caller>> = {
  [apiKey]: {
    merchantId: 'mer_first',
    credentialId: 'cred_first',
    psps: ['sandbox', 'stripe'],
    scopes: credentialScopes,
  },
  [otherApiKey]: {
    merchantId: 'mer_second',
    credentialId: 'cred_second',
    psps: ['sandbox', 'worldpay'],
    scopes: credentialScopes,
  },
};

export interface LogLine {
  readonly level: 'debug' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A recovery server over fakes, closed when the test ends. */
export interface TestServer {
  readonly app: FastifyInstance;
  readonly api: FakeRecoveryApi;
  readonly idempotency: FakeIdempotency;
  readonly lines: LogLine[];
  readonly clock: { at: Date; now(): Date };
  /** With the first merchant's key, and JSON's type where a payload is given. */
  call(options: InjectOptions): Promise<LightMyRequestResponse>;
  post(
    url: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
  /** The port of the server, listening on 127.0.0.1. */
  listen(): Promise<number>;
}

export function testServer(overrides: Partial<RecoveryServerDeps> = {}): TestServer {
  const api = fakeRecoveryApi();
  const idempotency = new FakeIdempotency();
  const lines: LogLine[] = [];
  const clock = {
    at: new Date('2026-06-02T00:00:00Z'),
    now: () => clock.at,
  };
  const note = (level: LogLine['level']) => (fields: object, text: string) =>
    void lines.push({ level, fields: { ...fields }, text });
  const app = createRecoveryServer({
    api,
    authenticate: async (key) => callers[key],
    idempotency,
    hosts: hostsOfTests,
    bounds: wideBounds(),
    clock,
    random: { bytes: randomBytes },
    operatorUrl: () => 'https://recoup.example.com',
    stopMessages: async (token) => token === 'known.1',
    log: { debug: note('debug'), error: note('error') },
    merchantOpenApi,
    ...overrides,
  });
  onTestFinished(() => app.close());
  const call = (options: InjectOptions) =>
    app.inject({ ...options, headers: { 'x-api-key': apiKey, ...options.headers } });
  return {
    app,
    api,
    idempotency,
    lines,
    clock,
    call,
    post: (url, body, headers = {}) =>
      call({
        method: 'POST',
        url,
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    listen: async () => {
      await app.listen({ port: 0, host: '127.0.0.1' });
      const address = app.server.address();
      if (address === null || typeof address === 'string') throw new Error('no port');
      return address.port;
    },
  };
}
