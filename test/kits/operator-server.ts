import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import type { OperatorDisputes } from '../../src/operator/operator-deps.ts';
import { createOperatorServer } from '../../src/operator/create-operator-server.ts';
import type { OperatorContext } from '../../src/operator/operator-context.ts';
import type { Queryable } from '../../src/store/database.ts';
import { noAnswers } from './disputes-server.ts';
import { type FakeOperatorApi, fakeClock, fakeOperatorApi } from './fake-operator-api.ts';

export const operatorToken = 'a-token-of-the-operator';

export interface OperatorKit {
  readonly server: FastifyInstance;
  readonly api: FakeOperatorApi;
  readonly clock: ReturnType<typeof fakeClock>;
  /** What was logged as an error. */
  readonly errors: object[];
  /** Asks as the operator does; a body is sent as JSON. */
  ask(method: Method, url: string, body?: unknown): Promise<Reply>;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  readonly json: any;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** The disputes side of a service without any. */
export const noDisputes: OperatorDisputes = {
  list: async () => ({ items: [] }),
  show: async () => undefined,
  merchantOf: async () => undefined,
  confirmMatch: async () => 'no_dispute',
  ratios: async () => [],
  netRecovery: async () => [],
  now: () => new Date(0),
};

/** Of a test that reads nothing. */
export const noDatabase: Queryable = {
  query: async () => {
    throw new Error('this test has no database');
  },
};

/** An operator's server on an API in memory, and on a database for reads. It ends with the test. */
export function operatorKit(changes: Partial<OperatorContext> = {}): OperatorKit {
  const api = fakeOperatorApi();
  const clock = fakeClock();
  const errors: object[] = [];
  const server = createOperatorServer({
    api,
    clock,
    checkup: async () => [],
    followEvents: async () => ({ items: [], cursor: '0' }),
    disputes: noDisputes,
    answers: noAnswers,
    operatorToken,
    now: () => clock.at,
    live: { subscribe: () => () => {} },
    machine: { now: () => new Date() },
    ready: async () => true,
    db: noDatabase,
    heldBack: () => undefined,
    disputesUrl: 'https://disputes.example',
    metrics: async () => 'recoup_attempts_total 1\n',
    random: { bytes: (count) => new Uint8Array(randomBytes(count)) },
    log: { debug: () => {}, error: (fields) => void errors.push(fields) },
    ...changes,
  });
  onTestFinished(() => server.close());

  async function ask(method: Method, url: string, body?: unknown): Promise<Reply> {
    const response = await server.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${operatorToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    const json = response.body === '' ? undefined : JSON.parse(response.body);
    return { status: response.statusCode, json, headers: response.headers };
  }

  return { server, api, clock, errors, ask };
}

export const newMerchant = {
  name: 'Acme',
  retry_status_url: 'https://billing.acme.example/retry/{invoice_id}',
  webhook_url: 'https://billing.acme.example/webhooks/retry-results',
  psps: [{ psp: 'sandbox' }],
};

/** The faults of a 400 answer, each as `field: message`. */
export function fieldsOf(reply: Reply): readonly string[] {
  return reply.json.error.fields.map(
    (each: { field: string; message: string }) => `${each.field}: ${each.message}`,
  );
}
