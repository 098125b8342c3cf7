import { Agent } from 'node:http';
import { Pool } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { sendInTime } from '../../../src/app/psps/send-in-time.ts';
import { addMs, secondMs } from '../../../src/domain/clock.ts';
import type { PspAccount } from '../../../src/psp/adapter.ts';
import { exchange } from '../../../src/psp/exchange.ts';
import { watchedCall } from '../../../src/psp/watched-call.ts';
import type { ChargeRequest, ChargeResult } from '../../../src/recovery/psp-ports.ts';
import { brokenPsp } from '../../psp/broken-psp.ts';

const start = new Date('2026-03-01T12:00:00.000Z');
const sendBy = addMs(start, 5 * secondMs);
const request: ChargeRequest = {
  merchantId: 'mer_1',
  invoiceId: 'in_1',
  idempotencyKey: 'rcp_1',
  amountMinor: 2_000,
  currency: 'USD',
  paymentMethodId: 'pm_1',
  sendBy,
};

/** The two ways in which adapters reach a socket. */
const ways = {
  async exchange(url: string): Promise<ChargeResult> {
    const pool = new Pool(url);
    onTestFinished(() => pool.destroy());
    const rules = { deadlineMs: 60_000, answerBytes: 1_000 };
    const sent = await exchange(pool, { method: 'POST', path: '/', headers: {}, ...rules });
    if (sent.kind !== 'not_sent') return { kind: 'unknown', reason: sent.kind };
    return { kind: 'not_made', reason: sent.reason };
  },
  async watchedCall(url: string): Promise<ChargeResult> {
    const pool = new Agent();
    onTestFinished(() => pool.destroy());
    const { request: send } = await import('node:http');
    const sent = await watchedCall(pool, { deadlineMs: 60_000, answerBytes: 1_000 }, (agent) => {
      return new Promise((resolve, reject) => {
        send(url, { agent, method: 'POST' }, (answer) => resolve(answer.resume()))
          .on('error', reject)
          .end();
      });
    });
    if (sent.kind !== 'not_sent') return { kind: 'unknown', reason: sent.kind };
    return { kind: 'not_made', reason: sent.reason };
  },
};

/** A machine whose clocks a test moves between the call and the socket. */
async function charge(way: keyof typeof ways, meanwhile: (clocks: Clocks) => void) {
  const psp = await brokenPsp((_request, response) => response.end('{}'));
  const clocks: Clocks = { engineMs: start.getTime(), wallMs: start.getTime(), epoch: 0 };
  const deps = {
    clock: { now: () => new Date(clocks.engineMs) },
    wall: { now: () => new Date(clocks.wallMs) },
    time: { epoch: () => clocks.epoch },
  };
  const account = {
    async charge() {
      const result = ways[way](psp.url);
      // The connection is not open yet: it opens after the process was held up.
      meanwhile(clocks);
      return result;
    },
  } as unknown as PspAccount;
  const result = await sendInTime(deps, account).charge(request);
  return { result, requests: psp.requests.length };
}

interface Clocks {
  engineMs: number;
  wallMs: number;
  epoch: number;
}

const both = ['exchange', 'watchedCall'] as const;

it.each(both)('%s writes a charge that is in time', async (way) => {
  const { result, requests } = await charge(way, (clocks) => {
    clocks.engineMs = sendBy.getTime();
    clocks.wallMs = sendBy.getTime();
  });
  expect(result.kind).toBe('unknown');
  expect(requests).toBe(1);
});

const heldUp: readonly (readonly [string, Partial<Clocks>])[] = [
  ['the monotonic time has passed it', { engineMs: sendBy.getTime() + 1 }],
  ['the wall clock has passed it', { wallMs: sendBy.getTime() + 1 }],
  ['the time jumped', { epoch: 1 }],
];

it.each(both.flatMap((way) => heldUp.map(([what, change]) => ({ way, what, change }))))(
  '$way writes nothing once $what',
  async ({ way, change }) => {
    const { result, requests } = await charge(way, (clocks) => Object.assign(clocks, change));
    expect(result.kind).toBe('not_made');
    expect(requests).toBe(0);
  },
);
