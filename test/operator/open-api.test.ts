import { expect, it } from 'vitest';
import { operatorOpenApi } from '../../src/operator/operator-open-api.ts';

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, Content>>;
  };
  readonly responses: Readonly<Record<string, { description: string; content?: object }>>;
}
interface Content {
  readonly schema: object;
  readonly examples?: object;
  readonly example?: object;
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const document = (await operatorOpenApi()) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

it('is OpenAPI 3.1 and has every route', () => {
  expect(document.openapi).toBe('3.1.0');
  const routes = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  expect(routes.sort()).toEqual([
    'DELETE /api/alert-channels/{id}',
    'DELETE /api/alert-routes/{id}',
    'DELETE /api/alert-silences/{id}',
    'DELETE /api/disputes/{id}/notes/{note_id}',
    'DELETE /api/merchants/{id}/credentials/{credential_id}',
    'DELETE /api/merchants/{id}/disputes/{dispute_id}/attachments/{attachment_id}',
    'DELETE /api/merchants/{id}/message-templates/{reason}/{language}',
    'DELETE /api/merchants/{id}/portal-links',
    'DELETE /api/merchants/{id}/psps/{psp}',
    'DELETE /api/merchants/{id}/webhook-endpoints/{endpoint_id}',
    'DELETE /api/operators/{id}',
    'DELETE /api/operators/{id}/tokens/{token_id}',
    'DELETE /api/saved-views/{id}',
    'GET /api/alert-channels',
    'GET /api/alert-messages',
    'GET /api/alerts',
    'GET /api/audit',
    'GET /api/cards-near-limit',
    'GET /api/checkup',
    'GET /api/cohorts',
    'GET /api/dispute-assignees',
    'GET /api/dispute-outcomes',
    'GET /api/dispute-ratios',
    'GET /api/disputes',
    'GET /api/disputes/{id}',
    'GET /api/disputes/{id}/evidence',
    'GET /api/endpoints',
    'GET /api/experiments',
    'GET /api/export/alert-channels',
    'GET /api/export/alert-messages',
    'GET /api/export/alert-routes',
    'GET /api/export/alert-silences',
    'GET /api/export/alerts',
    'GET /api/export/audit',
    'GET /api/export/cards-near-limit',
    'GET /api/export/dispute-outcomes',
    'GET /api/export/dispute-ratios',
    'GET /api/export/disputes',
    'GET /api/export/endpoints',
    'GET /api/export/experiments',
    'GET /api/export/incidents',
    'GET /api/export/invariant-differences',
    'GET /api/export/invariants',
    'GET /api/export/keys',
    'GET /api/export/merchants',
    'GET /api/export/merchants/{id}/bulk-actions',
    'GET /api/export/merchants/{id}/credentials',
    'GET /api/export/merchants/{id}/customer-messages',
    'GET /api/export/merchants/{id}/customers/{customer_id}/attempts',
    'GET /api/export/merchants/{id}/customers/{customer_id}/disputes',
    'GET /api/export/merchants/{id}/customers/{customer_id}/methods',
    'GET /api/export/merchants/{id}/customers/{customer_id}/payments',
    'GET /api/export/merchants/{id}/deliveries',
    'GET /api/export/merchants/{id}/fees',
    'GET /api/export/merchants/{id}/monthly-statements',
    'GET /api/export/merchants/{id}/psp-events',
    'GET /api/export/merchants/{id}/psps',
    'GET /api/export/merchants/{id}/replays',
    'GET /api/export/merchants/{id}/webhook-endpoints',
    'GET /api/export/models',
    'GET /api/export/operators',
    'GET /api/export/payments',
    'GET /api/export/reconciliations',
    'GET /api/export/recovery',
    'GET /api/export/restore-checks',
    'GET /api/export/saved-views',
    'GET /api/export/set-aside',
    'GET /api/export/trainings',
    'GET /api/export/unknown-charges',
    'GET /api/export/what-ifs',
    'GET /api/incidents',
    'GET /api/incidents/{id}',
    'GET /api/invariants',
    'GET /api/keys',
    'GET /api/merchants',
    'GET /api/merchants/{id}',
    'GET /api/merchants/{id}/bulk-actions',
    'GET /api/merchants/{id}/bulk-actions/count',
    'GET /api/merchants/{id}/bulk-actions/{bulk_id}',
    'GET /api/merchants/{id}/credentials',
    'GET /api/merchants/{id}/customer-messages',
    'GET /api/merchants/{id}/customers/{customer_id}',
    'GET /api/merchants/{id}/deliveries',
    'GET /api/merchants/{id}/deliveries/count',
    'GET /api/merchants/{id}/deliveries/{event_id}',
    'GET /api/merchants/{id}/disputes/{dispute_id}/attachments',
    'GET /api/merchants/{id}/disputes/{dispute_id}/attachments/{attachment_id}',
    'GET /api/merchants/{id}/disputes/{dispute_id}/rebuttal',
    'GET /api/merchants/{id}/events',
    'GET /api/merchants/{id}/fees',
    'GET /api/merchants/{id}/message-report',
    'GET /api/merchants/{id}/message-settings',
    'GET /api/merchants/{id}/monthly-statements',
    'GET /api/merchants/{id}/monthly-statements/{month}',
    'GET /api/merchants/{id}/payments/{invoice_id}',
    'GET /api/merchants/{id}/payments/{invoice_id}/timeline',
    'GET /api/merchants/{id}/psp-events',
    'GET /api/merchants/{id}/psps',
    'GET /api/merchants/{id}/replays',
    'GET /api/merchants/{id}/replays/{replay_id}',
    'GET /api/merchants/{id}/webhook-endpoints',
    'GET /api/merchants/{id}/webhook-endpoints/{endpoint_id}/success',
    'GET /api/models',
    'GET /api/operators',
    'GET /api/operators/{id}/tokens',
    'GET /api/overview',
    'GET /api/payments',
    'GET /api/psps',
    'GET /api/reconciliations',
    'GET /api/recovery',
    'GET /api/restore-checks',
    'GET /api/retry-map',
    'GET /api/sandbox/clock',
    'GET /api/sandbox/payment-methods',
    'GET /api/sandbox/payments/{batch}',
    'GET /api/saved-views',
    'GET /api/set-aside',
    'GET /api/unknown-charges',
    'GET /api/uplift',
    'GET /api/what-ifs',
    'GET /healthz',
    'GET /metrics',
    'GET /readyz',
    'PATCH /api/alert-channels/{id}',
    'PATCH /api/merchants/{id}',
    'PATCH /api/merchants/{id}/message-settings',
    'PATCH /api/merchants/{id}/webhook-endpoints/{endpoint_id}',
    'PATCH /api/operators/{id}',
    'POST /api/alert-channels',
    'POST /api/alert-channels/{id}/routes',
    'POST /api/alert-channels/{id}/test',
    'POST /api/alert-silences',
    'POST /api/audit/verify',
    'POST /api/disputes/{id}/accept',
    'POST /api/disputes/{id}/assign',
    'POST /api/disputes/{id}/notes',
    'POST /api/disputes/{id}/submit',
    'POST /api/incidents/{id}/dismiss',
    'POST /api/incidents/{id}/refund',
    'POST /api/invariants/checks',
    'POST /api/keys/rotations',
    'POST /api/merchants',
    'POST /api/merchants/{id}/bulk-actions',
    'POST /api/merchants/{id}/credentials',
    'POST /api/merchants/{id}/credentials/rotate',
    'POST /api/merchants/{id}/deliveries/{event_id}/replay',
    'POST /api/merchants/{id}/disputes/{dispute_id}/attachments',
    'POST /api/merchants/{id}/disputes/{dispute_id}/match',
    'POST /api/merchants/{id}/endpoints/test',
    'POST /api/merchants/{id}/message-suppressions',
    'POST /api/merchants/{id}/message-tests',
    'POST /api/merchants/{id}/payments/{invoice_id}/retry',
    'POST /api/merchants/{id}/payments/{invoice_id}/stop',
    'POST /api/merchants/{id}/portal-links',
    'POST /api/merchants/{id}/psps',
    'POST /api/merchants/{id}/psps/{psp}/test',
    'POST /api/merchants/{id}/replays',
    'POST /api/merchants/{id}/unknown-charges/{idempotency_key}/settle',
    'POST /api/merchants/{id}/webhook-endpoints',
    'POST /api/merchants/{id}/webhook-endpoints/{endpoint_id}/pause',
    'POST /api/merchants/{id}/webhook-endpoints/{endpoint_id}/resume',
    'POST /api/merchants/{id}/webhook-endpoints/{endpoint_id}/rotate-secret',
    'POST /api/merchants/{id}/webhook-endpoints/{endpoint_id}/test',
    'POST /api/merchants/{id}/webhooks/verify',
    'POST /api/models/train',
    'POST /api/models/{model_id}/activate',
    'POST /api/operators',
    'POST /api/operators/{id}/tokens',
    'POST /api/reconciliations',
    'POST /api/restore-checks',
    'POST /api/sandbox/clock',
    'POST /api/sandbox/payments',
    'POST /api/saved-views',
    'POST /api/set-aside/retry',
    'POST /api/what-ifs',
    'PUT /api/merchants/{id}/disputes/{dispute_id}/rebuttal',
    'PUT /api/merchants/{id}/message-templates/{reason}/{language}',
  ]);
});

it.each(operations)('says what $method $path does and answers', ({ path, method, operation }) => {
  expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
  expect(operation.summary).toMatch(/^[A-Z].{8,}[^.]$/);
  expect(operation.tags).toHaveLength(1);
  const isOpen = !path.startsWith('/api/');
  expect(operation.security).toEqual(isOpen ? undefined : [{ operator: [] }]);
  const statuses = Object.keys(operation.responses);
  if (!isOpen) expect(statuses).toEqual(expect.arrayContaining(['401', '500', '503']));
  expect(statuses.some((status) => status.startsWith('2'))).toBe(true);
  for (const answer of Object.values(operation.responses)) {
    expect(answer.description).not.toBe('Default Response');
  }
  if (method === 'post' || method === 'patch') {
    const [content] = Object.values(operation.requestBody?.content ?? {});
    const takesNone =
      path.endsWith('/{event_id}/replay') ||
      path === '/api/alert-channels/{id}/test' ||
      path === '/api/disputes/{id}/accept' ||
      /\/(\{psp\}\/test|\{endpoint_id\}\/(test|pause|resume)|activate|invariants\/checks)$/.test(
        path,
      );
    const example = content?.example ?? content?.examples;
    expect(example === undefined).toBe(takesNone);
  }
});

it('names operations once', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

it('says which body may be left out, and shows no mark of ours', () => {
  const optional = operations.filter(({ operation }) => operation.requestBody?.required === false);
  expect(optional.map(({ operation }) => operation.operationId)).toEqual([
    'createPortalLink',
    'retryPayment',
    'submitDispute',
    'trainModel',
    'rotateKeys',
    'verifyAudit',
    'issueOperatorToken',
  ]);
  expect(JSON.stringify(document)).not.toMatch(/x-fault|x-optional/);
});
