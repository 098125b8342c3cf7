import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../../src/http/recovery/endpoints.ts';
import { recoveryOpenApi } from '../../../src/http/recovery/recovery-open-api.ts';
import { isRfc3339 } from '../../../src/http/rfc3339.ts';
import { routerPath } from '../../../src/http/router-path.ts';
import { testServer } from '../../kits/recovery-server.ts';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, Media> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content: Record<string, Media> }>
  >;
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const document = (await recoveryOpenApi()) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
  ),
);

const ajv = new Ajv({ formats: { 'date-time': isRfc3339 }, allowUnionTypes: true });

test('describes every route of the server in OpenAPI 3.1, and no other', async () => {
  expect(document.openapi).toBe('3.1.0');
  expect(operations.map(([route]) => route).sort()).toEqual(
    endpoints.map((endpoint) => `${endpoint.method} ${endpoint.path}`).sort(),
  );
  const { app } = testServer();
  await app.ready();
  for (const { method, path } of endpoints) {
    expect(app.hasRoute({ method, url: routerPath(path) })).toBe(true);
  }
});

describe('each operation', () => {
  test.each(operations)('%s says what it is and what it answers', (route, operation) => {
    expect(operation.summary.length).toBeGreaterThan(5);
    expect(operation.description.length).toBeGreaterThan(20);
    const statuses = Object.keys(operation.responses);
    const isRead = route.startsWith('GET');
    const all = isRead
      ? ['200', '403', '404', '500']
      : ['200', '400', '403', '404', '409', '415', '422', '429', '500'];
    expect(statuses).toEqual(expect.arrayContaining(all));
    const parameters = operation.parameters.map((parameter) => parameter.name);
    for (const [, name] of route.matchAll(/\{(\w+)\}/g)) expect(parameters).toContain(name);
    expect(parameters.includes('Idempotency-Key')).toBe(!isRead);
  });

  test.each(operations)('%s has examples that fit its schemas', (_route, operation) => {
    const answers = Object.values(operation.responses).map((response) => response.content);
    const bodies = [...answers, operation.requestBody?.content ?? {}].flatMap((content) =>
      Object.values(content),
    );
    for (const { schema, example, examples = {} } of bodies) {
      const values = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples).map(({ value }) => value),
      ];
      expect(values.length).toBeGreaterThan(0);
      const validate = ajv.compile(schema);
      for (const value of values) expect([validate(value), validate.errors]).toEqual([true, null]);
    }
  });
});

test('operation ids are unique, and the same document is made every time', async () => {
  const ids = operations.map(([, operation]) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(JSON.stringify(await recoveryOpenApi())).toBe(JSON.stringify(document));
});

test('bodies that may be left out are marked so', () => {
  const required = operations
    .filter(([, operation]) => operation.requestBody?.required === true)
    .map(([route]) => route);
  expect(required.sort()).toEqual([
    'POST /recover/customer_links/{token}/outcomes',
    'POST /recover/message_bounces',
    'POST /recover/payment_method_updates',
    'POST /recover/payments',
  ]);
});

test('request examples are accepted by the server', async () => {
  const { call } = testServer();
  for (const [route, operation] of operations) {
    for (const { examples = {} } of Object.values(operation.requestBody?.content ?? {})) {
      for (const { value } of Object.values(examples)) {
        const [method, path = ''] = route.replaceAll(/[{}]/g, '').split(' ');
        const answer = await call({
          method: method as 'POST',
          url: path,
          headers: { 'content-type': 'application/json' },
          payload: JSON.stringify(value),
        });
        expect([200, 404]).toContain(answer.statusCode);
      }
    }
  }
});

test('words meant for the server alone are not in it', () => {
  expect(JSON.stringify(document)).not.toContain('x-fault');
});
