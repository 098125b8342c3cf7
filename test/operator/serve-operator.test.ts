import { expect, it } from 'vitest';
import { operatorEndpoints } from '../../src/operator/endpoints.ts';
import { operatorService } from '../kits/operator-service.ts';

const bodies: Readonly<Record<string, object>> = {
  stop: { reason: 'asked to' },
  settle: { result: 'not_made', reason: 'seen' },
};

it('an id that nothing can have names nothing, wherever it stands in a path', async () => {
  const { ask } = await operatorService();
  const named = operatorEndpoints.filter(({ path }) => path.includes('{'));
  expect(named.length).toBeGreaterThan(20);
  const answered: string[] = [];
  for (const { method, path } of named) {
    const { status } = await ask(
      method,
      path.replaceAll(/\{\w+\}/g, 'a%00b'),
      bodies[path.split('/').at(-1) ?? ''],
    );
    answered.push(`${method} ${path} ${status}`);
  }
  // 400 where the request lacks more than a name.
  expect(answered.filter((line) => !/ 40[04]$/.test(line))).toEqual([]);
});
