import { expect, it } from 'vitest';
import type { Merchant } from '../../../src/domain/merchant.ts';
import { testEndpoint, testInvoiceId } from '../../../src/recovery/admin/test-endpoint.ts';
import {
  noAnswerCauses,
  type RetryStatusAnswer,
  type WebhookRequest,
  type WebhookResult,
} from '../../../src/recovery/merchant-ports.ts';

const at = new Date('2026-03-01T12:00:00.000Z');
const merchant: Pick<Merchant, 'merchantId'> = { merchantId: 'mer_1' };

function world(answers: { webhook?: WebhookResult; status?: RetryStatusAnswer }) {
  const sent: WebhookRequest[] = [];
  const asked: string[] = [];
  const notes: unknown[] = [];
  let elapsedMs = 0;
  const deps = {
    merchants: {
      findMerchant: async (id: string) => (id === 'mer_1' ? (merchant as Merchant) : undefined),
      merchantSecrets: async () => ({ auth: { type: 'none' }, signingSecrets: ['s'] }) as const,
    },
    merchantClient: {
      async sendWebhook(request: WebhookRequest) {
        sent.push(request);
        return answers.webhook ?? ({ kind: 'delivered', status: 200, durationMs: 5 } as const);
      },
      async askRetryStatus({ invoiceId }: { invoiceId: string }) {
        asked.push(invoiceId);
        return answers.status ?? ({ kind: 'not_found', detail: 'no such invoice' } as const);
      },
    },
    actions: { noteAction: async (note: unknown) => void notes.push(note) },
    clock: { now: () => at },
    random: { bytes: (count: number) => new Uint8Array(count) },
    elapsedMs: () => {
      elapsedMs += 40;
      return elapsedMs;
    },
  };
  return { deps, sent, asked, notes };
}

it('sends a webhook of a type of its own that names no invoice', async () => {
  const { deps, sent, notes } = world({});
  const test = await testEndpoint(deps, { merchantId: 'mer_1', endpoint: 'webhook' });
  expect(test).toMatchObject({ result: 'passed', status: 200, durationMs: 5 });
  expect(sent[0]?.type).toBe('test');
  expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
    type: 'test',
    timestamp: at.toISOString(),
    message: expect.stringContaining('Nothing happened to any payment'),
  });
  expect(notes).toMatchObject([
    {
      merchantId: 'mer_1',
      audit: { action: 'endpoint.tested', detail: { endpoint: 'webhook', result: 'passed' } },
    },
  ]);
});

it('asks the final check of an invoice that nobody has, and times it', async () => {
  const { deps, asked } = world({});
  const test = await testEndpoint(deps, { merchantId: 'mer_1', endpoint: 'retry_status' });
  expect(asked).toEqual([testInvoiceId]);
  expect(test).toMatchObject({ result: 'passed', status: 404, durationMs: 40 });
  expect(test?.advice).toBeUndefined();
});

it('says what to mend where the final check would charge an invoice that is not there', async () => {
  const { deps } = world({ status: { kind: 'retry', reason: 'Invoice open' } });
  const test = await testEndpoint(deps, { merchantId: 'mer_1', endpoint: 'retry_status' });
  expect(test).toMatchObject({ result: 'passed', advice: expect.stringContaining('404') });
});

it.each(noAnswerCauses)('says what to do about %s, at both addresses', async (cause) => {
  const failed = { cause, detail: 'It failed.' };
  const { deps } = world({
    webhook: { kind: 'failed', ...failed, durationMs: 7 },
    status: { kind: 'no_answer', ...failed },
  });
  for (const endpoint of ['webhook', 'retry_status'] as const) {
    expect(await testEndpoint(deps, { merchantId: 'mer_1', endpoint })).toMatchObject({
      result: 'failed',
      message: 'It failed.',
      advice: expect.stringMatching(/^[A-Z].*\.$/),
    });
  }
});

it('knows no merchant that is not there', async () => {
  const { deps, sent } = world({});
  const input = { merchantId: 'mer_2', endpoint: 'webhook' } as const;
  expect(await testEndpoint(deps, input)).toBeUndefined();
  expect(sent).toEqual([]);
});
