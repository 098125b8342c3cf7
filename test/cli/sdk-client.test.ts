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
        tags: ['Things'],
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
        tags: ['Things'],
        summary: 'Draw it',
        responses: { 200: { content: { 'application/pdf': {} } }, 404: {} },
      },
    },
    '/things': {
      post: {
        operationId: 'makeThing',
        tags: ['Things'],
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
  const [operations] = renderSdkClient('disputes', document);
  const text = operations?.text;
  expect(text).toContain(
    'reportThing(thingId: string, body: ReportThingBody, options?: CallOptions): Promise<void>;',
  );
  expect(text).toContain(
    'drawThing(thingId: string, options?: CallOptions): Promise<ArrayBuffer>;',
  );
  expect(text).toContain('makeThing(options?: CallOptions): Promise<MakeThingAnswer>;');
});

describe('shapes that have titles', () => {
  const text = { type: 'string' };
  const status = { title: 'Status', enum: ['new', 'old', 'lost'] };
  const fields = { id: text, name: text, colour: text, weight: text, status };
  const required = Object.keys(fields);
  const summary = { title: 'ThingSummary', type: 'object', properties: fields, required };
  const single = {
    title: 'Thing',
    type: 'object',
    properties: { ...fields, parts: { type: 'array', items: summary } },
    required,
  };
  const answering = (operationId: string, tag: string, schema: Schema) => ({
    get: {
      operationId,
      tags: [tag],
      responses: { 200: { content: { 'application/json': { schema } } } },
    },
  });
  const list = {
    type: 'object',
    properties: { items: { type: 'array', items: summary }, next_cursor: text },
  };
  const render = (paths: object) => renderSdkClient('disputes', { paths });

  test('have one type each, in the file of the tag that has them first', () => {
    const [operations, things, parts] = render({
      '/things': answering('listThings', 'Things', list),
      '/parts/{id}': answering('showPart', 'Spare parts', {
        ...single,
        description: 'What it is here.',
      }),
    });
    expect(things).toEqual({
      path: 'disputes/things.ts',
      text: `// Generated from openapi/disputes.json by npm run generate; do not edit.

export type ThingSummary = {
  readonly id: string;
  readonly name: string;
  readonly colour: string;
  readonly weight: string;
  readonly status: Status;
};

export type Status = 'new' | 'old' | 'lost';

export type ListThingsAnswer = {
  readonly items?: readonly ThingSummary[];
  readonly next_cursor?: string;
};
`,
    });
    expect(parts?.path).toBe('disputes/spare-parts.ts');
    expect(parts?.text).toContain(`import type { ThingSummary } from './things.ts';

/** What it is here. */
export type Thing = ThingSummary & {
  readonly parts?: readonly ThingSummary[];
};
`);
    expect(operations?.text).toContain('): AsyncGenerator<ThingSummary>;');
    expect(operations?.text).toContain(
      'showPart(id: string, options?: CallOptions): Promise<Thing>',
    );
    expect(operations?.text).toContain("export type * from './disputes/spare-parts.ts';");
  });

  test('differ where their titles do, and none occurs twice without one', () => {
    const { title: _, ...untitled } = summary;
    expect(() =>
      render({
        '/a': answering('showA', 'Things', untitled),
        '/b': answering('showB', 'Things', { type: 'array', items: untitled }),
      }),
    ).toThrow('showAAnswer and showBAnswer.[] are one shape: give it a title.');
    expect(() =>
      render({
        '/a': answering('showA', 'Things', summary),
        '/b': answering('showB', 'Things', { ...single, title: 'ThingSummary' }),
      }),
    ).toThrow('ThingSummary is the title of two different shapes.');
  });
});
