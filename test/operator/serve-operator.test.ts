import { expect, it } from 'vitest';
import { operatorEndpoints } from '../../src/operator/endpoints.ts';
import type { Method } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';

const bodies: Readonly<Record<string, object>> = {
  stop: { reason: 'asked to' },
  settle: { result: 'not_made', reason: 'seen' },
};

it.each([
  ['a NUL', 'a%00b', 'invalid_request'],
  ["a card's number", '4111-1111-1111-1111', 'card_number_refused'],
])('%s in an id is refused, wherever it stands in a path or a query', async (_what, id, code) => {
  const { ask } = await operatorService();
  const answered: string[] = [];
  const expected: string[] = [];
  const seen = async (method: Method, path: string, body?: unknown) => {
    const { status, json } = await ask(method, path, body);
    answered.push(`${method} ${path} ${status} ${json?.error?.code}`);
    expected.push(`${method} ${path} 400 ${code}`);
  };
  for (const { method, path, schema } of operatorEndpoints) {
    const last = path.split('/').at(-1) ?? '';
    if (path.includes('{')) await seen(method, path.replaceAll(/\{\w+\}/g, id), bodies[last]);
    const query: Record<string, { 'x-id'?: true }> = Object(schema?.query).properties ?? {};
    for (const [name, field] of Object.entries(query)) {
      if (field['x-id'] !== true || path.includes('{')) continue;
      await seen(method, `${path}?${name}=${id}`);
    }
  }
  expect(answered.length).toBeGreaterThan(30);
  expect(answered).toEqual(expected);
});
