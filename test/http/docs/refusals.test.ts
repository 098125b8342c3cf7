import { request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import type { PacketOutcome } from '../../../src/disputes/evidence/show-packet.ts';
import type { Acceptance, Submission } from '../../../src/disputes/submission/submission-ports.ts';
import { credentialScopes } from '../../../src/domain/access/scopes.ts';
import { AppError, type ErrorCode } from '../../../src/domain/errors.ts';
import { disputesOpenApi } from '../../../src/http/disputes/disputes-open-api.ts';
import { recoveryOpenApi } from '../../../src/http/recovery/recovery-open-api.ts';
import { operatorOpenApi } from '../../../src/operator/operator-open-api.ts';
import { wideBounds } from '../../kits/bounds.ts';
import { disputesKit, noAnswers } from '../../kits/disputes-server.ts';
import {
  type ApiOperation,
  fillPath,
  operationsOf,
  schemaFaults,
  sentBody,
} from '../../kits/open-api.ts';
import { operatorKit, operatorToken } from '../../kits/operator-server.ts';
import { operatorService } from '../../kits/operator-service.ts';
import { firstAnswer, rawExchange } from '../../kits/raw-http.ts';
import { apiKey, testServer } from '../../kits/recovery-server.ts';
import { sendAsIs } from '../../kits/sent-as-is.ts';

/** Every refusal that a document names is provoked over HTTP, and must be what it says. */

interface Sent {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
interface Answered {
  readonly status: number;
  readonly text: string;
}
type Send = (operation: ApiOperation, change?: Sent) => Promise<Answered>;
/** By status: what makes an operation refuse with it. */
type Provocations = Readonly<Record<number, (operation: ApiOperation) => Promise<Answered>>>;

const longHead = { headers: { 'x-filling': 'x'.repeat(20_000) } };

const unknownIds = {
  id: 'dis_4c1vbz7p0x9k2m5n8q3r6t0w',
  invoice_id: 'unknown_1',
  day: '2026-06-01',
  request_id: `8e03978e-40d5-43e8-bc93-6894a57f9324:${'1'.padStart(56, '0')}:000000000007`,
  credential_id: 'unknown_1',
  event_id: 'unknown_1',
  note_id: 'unknown_1',
  endpoint_id: 'ept_4c1vbz7p0x9k2m5n8q3r6t0w',
  month: '2026-03',
  bulk_id: 'blk_4c1vbz7p0x9k2m5n8q3r6t0w',
  replay_id: 'rpl_4c1vbz7p0x9k2m5n8q3r6t0w',
  idempotency_key: 'unknown_1',
  customer_id: 'unknown_1',
  dispute_id: 'unknown_1',
  attachment_id: 'unknown_1',
  psp: 'stripe',
  batch: 'unknown_1',
  model_id: 'mod_4c1vbz7p0x9k2m5n8q3r6t0w',
  token_id: 'tok_4c1vbz7p0x9k2m5n8q3r6t0w',
  token: 'unknown.1',
  reason: 'expired_card',
  language: 'en',
};

describe('refusals of the recovery API', async () => {
  const operations = operationsOf(await recoveryOpenApi());

  test('are as documented, each status of each operation', async () => {
    const { app, listen, api, idempotency } = testServer();
    const url = `http://127.0.0.1:${await listen()}`;
    const limited = testServer({
      bounds: wideBounds({ writesPerMinute: 0, readsPerMinute: 0 }),
    });
    const limitedUrl = `http://127.0.0.1:${await limited.listen()}`;
    const send = sender(url, { 'x-api-key': apiKey });
    const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });
    await expectRefusals(operations, {
      400: (operation) =>
        operation.path.includes('{')
          ? send(operation, { path: withNul(operation) })
          : operation.method === 'GET'
            ? send(operation, { path: `${operation.path}?limit=0` })
            : send(operation, { body: '{' }),
      403: (operation) => send(operation, { headers: { 'x-api-key': 'wrong' } }),
      404: (operation) =>
        operation.path.includes('{')
          ? send(operation)
          : send(operation, { path: `${operation.path}/none` }),
      409: async (operation) => {
        await send(operation, keyed(`in-flight-${operation.operationId}`));
        // As if the first one were still being carried out.
        for (const kept of idempotency.keys.values()) delete kept.answer;
        return send(operation, keyed(`in-flight-${operation.operationId}`));
      },
      408: await unfinished(app.server, operations),
      410: async (operation) => {
        api.linkAnswer = { kind: 'ended', endedAt: new Date(0) };
        const answer = await send(operation);
        api.linkAnswer = { kind: 'bad' };
        return answer;
      },
      415: (operation) => send(operation, { headers: { 'content-type': 'text/plain' } }),
      422: async (operation) => {
        const { headers } = keyed(`twice-${operation.operationId}`);
        await send(operation, { headers });
        const body = { ...operation.body?.examples[0]?.value, another: true };
        return send(operation, { headers, body: JSON.stringify(body) });
      },
      429: sender(limitedUrl, { 'x-api-key': apiKey }),
      421: toOtherHost(url),
      431: (operation) => send(operation, longHead),
      500: async (operation) => {
        api.failure = new Error('broken');
        const answer = await send(operation);
        api.failure = undefined;
        return answer;
      },
      503: async (operation) => {
        api.failure = new AppError('database_busy');
        const answer = await send(operation);
        api.failure = undefined;
        return answer;
      },
    });
  });
});

describe('refusals of the disputes API', async () => {
  const operations = operationsOf(await disputesOpenApi());

  test('are as documented, each status of each operation', async () => {
    let failure: unknown;
    let isHeld = false;
    let isFailing = false;
    const noAmount = { kind: 'no_amount' } as PacketOutcome;
    const { server, url } = await disputesKit({
      authenticate: async (_id, password) => {
        if (failure !== undefined) throw failure;
        if (password === 'narrow') return [];
        return password === 'right' ? credentialScopes : undefined;
      },
      answers: {
        ...noAnswers,
        packet: async () => (isHeld ? noAmount : { kind: 'not_found' }),
        accept: async () => {
          if (isFailing) return { kind: 'failed', acceptance: notAccepted };
          return isHeld
            ? { kind: 'refused', obstacle: { kind: 'no_dispute' } }
            : { kind: 'not_found' };
        },
        writeRebuttal: async () => ({ kind: isHeld ? 'sent' : 'not_found' }),
        attach: async () => ({ kind: isHeld ? 'sent' : 'not_found' }),
        removeAttachment: async () => (isHeld ? 'sent' : 'not_found'),
        submit: async () => {
          if (isFailing) return { kind: 'failed', submission: failed };
          return isHeld
            ? { kind: 'refused', obstacle: { kind: 'no_dispute' } }
            : { kind: 'not_found' };
        },
      },
      analytics: {
        accept: async () => ({ kind: 'accepted', analyticsId: 'ana_1' }),
        show: async () => undefined,
        eraseCustomer: async () =>
          isHeld ? { kind: 'held', records: 1 } : { kind: 'unknown_customer' },
      },
    });
    const send = sender(url, { authorization: basic('mer_1', 'right') });
    const failed = { state: 'failed', detail: 'The PSP refused.' } as unknown as Submission;
    const notAccepted = failed as unknown as Acceptance;
    const failing = (error: unknown) => async (operation: ApiOperation) => {
      failure = error;
      const answer = await send(operation);
      failure = undefined;
      return answer;
    };
    await expectRefusals(operations, {
      401: (operation) => send(operation, { headers: { authorization: basic('mer_1', 'no') } }),
      403: (operation) => send(operation, { headers: { authorization: basic('mer_1', 'narrow') } }),
      404: (operation) => send(operation),
      409: async (operation) => {
        isHeld = true;
        const answer = await send(operation);
        isHeld = false;
        return answer;
      },
      406: (operation) => send(operation, { headers: { accept: 'image/png' } }),
      408: await unfinished(server, operations),
      502: async (operation) => {
        isFailing = true;
        const answer = await send(operation);
        isFailing = false;
        return answer;
      },
      413: (operation) => sendLength(url, operation, 1e12),
      422: (operation) =>
        operation.path.includes('{')
          ? send(operation, { path: withNul(operation) })
          : operation.method === 'GET'
            ? send(operation, { path: `${operation.path}?limit=0` })
            : send(operation, { path: `${operation.path}?from_row=0`, body: '{' }),
      429: async (operation) => {
        const headers = { authorization: basic('mer_guessed', 'no') };
        let answer = await send(operation, { headers });
        while (answer.status === 401) answer = await send(operation, { headers });
        return answer;
      },
      421: toOtherHost(url),
      431: (operation) => send(operation, longHead),
      500: failing(new Error('broken')),
      503: failing(new AppError('database_unreachable')),
    });
  });
});

describe('refusals of the operator API', async () => {
  const operations = operationsOf(await operatorOpenApi());

  test('are as documented, each status of each operation', async () => {
    let failure: unknown;
    const { server } = await operatorService({
      databaseAway: async () => (failure === undefined ? undefined : {}),
    });
    failBefore(server, () => failure);
    const bare = operatorKit();
    failBefore(bare.server, () => new AppError('sandbox_only'));
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    const bareUrl = await bare.server.listen({ port: 0, host: '127.0.0.1' });
    const authorization = `Bearer ${operatorToken}`;
    const send = sender(url, { authorization });
    const failing = (code: ErrorCode) => async (operation: ApiOperation) => {
      failure = new AppError(code);
      const answer = await send(operation);
      failure = undefined;
      return answer;
    };
    await expectRefusals(operations, {
      400: (operation) =>
        operation.path.includes('{')
          ? send(operation, { path: withNul(operation) })
          : operation.body === undefined
            ? send(operation, { path: `${operation.path}?nothing=1` })
            : send(operation, { body: '{' }),
      401: (operation) => sender(url, {})(operation),
      403: failing('operator_forbidden'),
      404: (operation) =>
        operation.path.includes('{')
          ? send(operation)
          : sender(bareUrl, { authorization })(operation),
      406: failing('not_acceptable'),
      408: await unfinished(server.server, operations),
      409: failing('conflict'),
      413: (operation) => {
        const takesMore =
          operation.body?.mediaType === 'application/octet-stream' ||
          operation.path === '/api/reconciliations';
        return send(operation, {
          body: JSON.stringify('x'.repeat(takesMore ? 5_000_001 : 70_000)),
        });
      },
      415: (operation) =>
        send(operation, { headers: { 'content-type': 'text/plain' }, body: 'amount=1' }),
      422: failing('psp_credentials_refused'),
      429: failing('too_many_requests'),
      421: toOtherHost(url),
      431: (operation) => send(operation, longHead),
      500: failing('internal_error'),
      503: failing('database_unreachable'),
    });
  }, 120_000);
});

async function expectRefusals(
  operations: readonly ApiOperation[],
  provocations: Provocations,
): Promise<void> {
  const faults: string[] = [];
  for (const operation of operations) {
    for (const [status, { schema }] of operation.answers) {
      if (status < 400) continue;
      const answer = await provocations[status]?.(operation);
      const place = `${operation.name} ${status}`;
      if (answer?.status !== status) faults.push(`${place}: ${answer?.status} ${answer?.text}`);
      else if (schema === undefined) faults.push(`${place} has no schema`);
      else faults.push(...schemaFaults(schema, JSON.parse(answer.text)).map((f) => place + f));
    }
  }
  expect(faults).toEqual([]);
}

/** Begins every operation and ends none, with a server that waits half a second for the rest. */
async function unfinished(
  server: Server,
  operations: readonly ApiOperation[],
): Promise<(operation: ApiOperation) => Promise<Answered>> {
  const { headersTimeout, requestTimeout } = server;
  Object.assign(server, { headersTimeout: 500, requestTimeout: 500 });
  const { port } = server.address() as AddressInfo;
  const answers = new Map(
    await Promise.all(
      operations.map(async ({ name, method, path }) => {
        const asked = `${method} ${fillPath(path, unknownIds)} HTTP/1.1\r\nhost: 127.0.0.1\r\n`;
        const { status, body } = firstAnswer((await rawExchange(port, asked)).text);
        return [name, { status, text: body }] as const;
      }),
    ),
  );
  Object.assign(server, { headersTimeout, requestTimeout });
  return async ({ name }) => answers.get(name) ?? { status: 0, text: '' };
}

/** `fetch` names the host itself. */
function toOtherHost(url: string): (operation: ApiOperation) => Promise<Answered> {
  return ({ method, path }) =>
    sendAsIs({ url }, { method, path, headers: { host: 'evil.example' } });
}

/** A path that names what nothing can be called. */
function withNul({ path }: ApiOperation): string {
  return path.replaceAll(/\{\w+\}/g, '%00');
}

/** Sends an operation's own example, with changes. */
function sender(url: string, credentials: Readonly<Record<string, string>>): Send {
  return async (operation, { path, headers = {}, body } = {}) => {
    const asked = operation.path + operation.requiredQuery;
    const { mediaType, examples } = operation.body ?? {};
    const example = examples?.[0]?.value;
    const text = body ?? (example === undefined ? undefined : sentBody(operation, example));
    const answer = await fetch(url + fillPath(path ?? asked, unknownIds), {
      method: operation.method,
      headers: {
        ...credentials,
        ...(mediaType === undefined ? {} : { 'content-type': mediaType }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
    });
    return { status: answer.status, text: await answer.text() };
  };
}

/** Announces a body of this length, and sends none of it. */
function sendLength(url: string, operation: ApiOperation, bytes: number): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: basic('mer_1', 'right'),
      'content-type': operation.body?.mediaType ?? '',
      'content-length': String(bytes),
    };
    const asked = url + fillPath(operation.path + operation.requiredQuery, unknownIds);
    const call = request(asked, { method: 'POST', headers }, (response) => {
      response.on('data', (chunk) => {
        call.destroy();
        resolve({ status: response.statusCode ?? 0, text: String(chunk) });
      });
    });
    call.on('error', reject);
    call.flushHeaders();
  });
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Makes every route below /api fail where its handler would begin, as a broken engine does. */
function failBefore(server: FastifyInstance, failure: () => unknown): void {
  server.addHook('preHandler', async (request) => {
    const error = failure();
    if (request.url.startsWith('/api/') && error !== undefined) throw error;
  });
}
