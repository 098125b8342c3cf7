import { describe, expect, test } from 'vitest';
import { operationsOf } from '../../src/cli/sdk-client/operations-of.ts';
import { type Schema, typeOfSchema } from '../../src/cli/sdk-client/schema-type.ts';
import { renderSdkClient } from '../../src/cli/sdk-client/sdk-client.ts';

describe('the type of a schema', () => {
  test.each<[Schema, string]>([
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['a', "it's", 1, null] }, "'a' | 'it\\'s' | 1 | null"],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, "readonly ('a' | 'b')[]"],
    [{ type: 'object' }, 'Readonly<Record<string, unknown>>'],
    [
      { type: 'object', additionalProperties: { type: 'string' } },
      'Readonly<Record<string, string>>',
    ],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'string | number'],
    [
      { type: 'object', properties: { 'a-b': {} }, anyOf: [{ required: ['a-b'] }] },
      "{\n  readonly 'a-b'?: unknown;\n}",
    ],
  ])('%j', (schema, type) => {
    expect(typeOfSchema(schema)).toBe(type);
  });

  test('one that no rule knows is refused, and never guessed', () => {
    expect(() => typeOfSchema({ type: 'tuple' })).toThrow('tuple');
    expect(() => typeOfSchema({ $ref: '#/components/schemas/Payment' })).toThrow('#/components');
  });
});

const document = {
  paths: {
    '/things/{thing_id}': {
      post: {
        operationId: 'acceptThing',
        summary: 'Report a thing',
        parameters: [
          { name: 'thing_id', in: 'path', required: true },
          { name: 'Idempotency-Key', in: 'header' },
        ],
        requestBody: { required: true, content: { 'application/json': { schema: {} } } },
        responses: { 204: {} },
      },
      get: {
        operationId: 'drawThing',
        summary: 'Draw it',
        responses: { 200: { content: { 'application/pdf': {} } }, 404: {} },
      },
    },
    '/things': {
      post: {
        operationId: 'makeThing',
        summary: 'Make one',
        responses: { 201: { content: { 'application/json': { schema: { type: 'string' } } } } },
      },
    },
  },
};

test('an operation may be sent again if it has a key, or changes nothing', () => {
  const repeatable = operationsOf(document).map(({ name, isRepeatable }) => [name, isRepeatable]);
  expect(repeatable).toEqual([
    ['reportThing', true],
    ['drawThing', true],
    ['makeThing', false],
  ]);
});

test('methods take the path, the body and the options, and give what is answered', () => {
  const text = renderSdkClient('disputes', document);
  expect(text).toContain(
    'reportThing(thingId: string, body: ReportThingBody, options?: CallOptions): Promise<void>;',
  );
  expect(text).toContain(
    'drawThing(thingId: string, options?: CallOptions): Promise<ArrayBuffer>;',
  );
  expect(text).toContain('makeThing(options?: CallOptions): Promise<MakeThingAnswer>;');
});
