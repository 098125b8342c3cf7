import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../src/domain/clock.ts';
import { createSandboxAdapter } from '../../../src/psp/sandbox/adapter.ts';
import type { SandboxCharge } from '../../../src/psp/sandbox/server/charge.ts';
import {
  type SandboxPsp,
  startSandboxPsp,
} from '../../../src/psp/sandbox/server/sandbox-server.ts';
import {
  type ClosingGateway,
  closingGateway,
  type GatewayUnderTest,
  type SeenCharge,
} from '../conformance.ts';

export const apiKey = 'sandbox_key';
export const clock: Clock = { now: () => new Date('2026-11-02T09:00:00.000Z') };
export const random = { bytes: (count: number) => randomBytes(count) };

/** A folder of the test's own, gone when it ends. */
export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'recoup-sandbox-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

export const ledgerText = (dir: string) => readFile(join(dir, 'charges.ndjson'), 'utf8');

/** A running sandbox PSP that ends with its test. */
export async function sandbox(
  more: { ledgerDir?: string; log?: { error(fields: object, message: string): void } } = {},
): Promise<SandboxPsp> {
  const { log, ledgerDir } = more;
  const psp = await startSandboxPsp(
    { clock, random, ...(log && { log }) },
    { host: '127.0.0.1', port: 0, apiKey, ...(ledgerDir && { ledgerDir }) },
  );
  onTestFinished(() => psp.close());
  return psp;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  readonly body: any;
}

/** One call of the sandbox's API. `headers` replace those that a client would send. */
export async function call(
  url: string,
  method: 'GET' | 'POST',
  path: string,
  more: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const agent = new Agent();
  try {
    const answer = await request(`${url}${path}`, {
      method,
      dispatcher: agent,
      headers: { authorization: `Bearer ${apiKey}`, ...more.headers },
      body:
        more.body === undefined || typeof more.body === 'string'
          ? (more.body ?? null)
          : JSON.stringify(more.body),
    });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: JSON.parse(await answer.body.text()),
    };
  } finally {
    await agent.destroy();
  }
}

let keys = 0;

/** A charge with a key of its own, unless one is given. */
export function charge(url: string, fields: object = {}, key?: string): Promise<Answer> {
  keys += 1;
  const headers = { 'idempotency-key': key ?? `key-${keys}` };
  return call(url, 'POST', '/v1/charges', { headers, body: { ...plain, ...fields } });
}

export const plain = {
  merchant: 'mer_1',
  invoice: 'in_1',
  amount: 1_999,
  currency: 'USD',
  payment_method: 'pm_sandbox_success',
};

/** A gateway to a sandbox PSP, which ends with its test. */
export function gatewayTo(
  baseUrl: string,
  more: { key?: string; deadlineMs?: number; connections?: number } = {},
): ClosingGateway {
  const { key = apiKey, deadlineMs = 5_000, connections } = more;
  const adapter = createSandboxAdapter({
    baseUrl,
    apiKey: key,
    deadlineMs,
    ...(connections === undefined ? {} : { connections }),
  });
  const gateway = closingGateway(adapter, {});
  onTestFinished(() => gateway.close());
  return gateway;
}

/** Payment methods with which the sandbox does as the name says. */
export const methods: GatewayUnderTest['methods'] = {
  success: 'pm_sandbox_success',
  decline: 'pm_sandbox_decline_54',
  declined: { category: 'fix_data', code: 'expired_card', networkCode: '54' },
  lostSuccess: 'pm_sandbox_lost_success',
  lostDecline: 'pm_sandbox_lost_decline',
  lostBefore: 'pm_sandbox_lost_before',
  notMade: ['pm_sandbox_unavailable', 'pm_sandbox_not_found'],
  serverErrors: ['pm_sandbox_lost_success'],
};

/** A charge of its ledger, as the conformance suite sees it. */
export function seen(charge: SandboxCharge): SeenCharge {
  const { metadata, previous_network_transaction_id: networkTransactionId, token } = charge;
  return {
    succeeded: charge.status === 'succeeded',
    idempotencyKey: charge.idempotency_key,
    amountMinor: charge.amount,
    currency: charge.currency,
    paymentMethodId: charge.payment_method,
    ...(metadata && { metadata }),
    ...(networkTransactionId !== undefined && { networkTransactionId }),
    ...(token?.id !== undefined && { tokenId: token.id }),
  };
}
