import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { onTestFinished } from 'vitest';
import type { AnswersApi } from '../../src/disputes/answers-api.ts';
import { createDisputesServer } from '../../src/http/disputes/create-disputes-server.ts';
import type { DisputesDeps } from '../../src/http/disputes/disputes-deps.ts';
import type {
  IngestPspWebhook,
  PspWebhookOutcome,
} from '../../src/recovery/intake/ingest-psp-webhook.ts';
import { actAs } from '../../src/store/admin/acting.ts';
import { wideBounds } from './bounds.ts';
import { hostsOfTests } from './raw-http.ts';

export interface DisputesKit {
  /** Node's own server. */
  readonly server: Server;
  readonly url: string;
  readonly port: number;
  /** Every webhook that reached the engine. */
  readonly taken: IngestPspWebhook[];
  /** Every line, with its fields as JSON. */
  readonly lines: string[];
  /** Every webhook as it was counted. */
  readonly counted: string[];
  /** What the engine makes of the next webhooks. */
  outcome: PspWebhookOutcome | Error;
}

/** Answers to disputes, of which there are none. */
export const noAnswers: AnswersApi = {
  packet: async () => ({ kind: 'not_found' }),
  pdf: () => Promise.reject(new Error('there is no packet')),
  state: async () => false,
  rebuttal: async () => undefined,
  writeRebuttal: async () => ({ kind: 'not_found' }),
  attach: async () => ({ kind: 'not_found' }),
  attachments: async () => undefined,
  removeAttachment: async () => 'not_found',
  readAttachment: async () => undefined,
  lookUpOrder: async () => ({ kind: 'none' }),
  obstacle: async () => undefined,
  submit: async () => ({ kind: 'not_found' }),
  acceptObstacle: async () => undefined,
  accept: async () => ({ kind: 'not_found' }),
  answer: async () => undefined,
};

export const clock = { now: () => new Date('2026-06-02T00:00:00Z') };

/** The disputes listener on loopback, over an engine in memory. It ends with the test. */
export async function disputesKit(changes: Partial<DisputesDeps> = {}): Promise<DisputesKit> {
  const taken: IngestPspWebhook[] = [];
  const lines: string[] = [];
  const counted: string[] = [];
  const note = (level: string) => (fields: object, text: string) =>
    void lines.push(`${level} ${text} ${JSON.stringify(fields)}`);
  const nothing = async () => undefined;
  const server = createDisputesServer({
    actAs,
    analytics: {
      accept: async () => ({ kind: 'accepted', analyticsId: 'ana_1' }),
      show: nothing,
      eraseCustomer: async () => ({ kind: 'unknown_customer' }),
    },
    answers: noAnswers,
    disputes: {
      report: nothing,
      list: async () => ({ items: [] }),
      show: nothing,
      confirmMatch: async () => 'no_dispute',
    },
    authenticate: async () => undefined,
    webhooks: {
      isConnected: async ({ merchantId, psp }) => merchantId === 'mer_1' && psp === 'stripe',
      async ingest(input) {
        taken.push(input);
        if (kit.outcome instanceof Error) throw kit.outcome;
        if (kit.outcome.kind === 'read') input.onSigned?.();
        return kit.outcome;
      },
    },
    hosts: hostsOfTests,
    bounds: { ...wideBounds(), webhooksPerMinute: 1_000_000 },
    clock,
    random: { bytes: randomBytes },
    log: { debug: note('debug'), warn: note('warn'), error: note('error') },
    countWebhook: (psp, result) => void counted.push(`${psp} ${result}`),
    ...changes,
  });
  onTestFinished(() => server.close());
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  const kit: DisputesKit = {
    server: server.server,
    url,
    port: Number(new URL(url).port),
    taken,
    lines,
    counted,
    outcome: { kind: 'read' },
  };
  return kit;
}
