import { expect, test } from 'vitest';
import { sampledLog } from '../../../src/http/server/sampled-log.ts';

test('errors that are alike are written ten times in ten seconds, and the others are counted', () => {
  const lines: [object, string][] = [];
  const now = { ms: 0 };
  const log = sampledLog(
    {
      error: (fields: object, text: string) => void lines.push([fields, text]),
      debug: () => 'as it was',
    },
    () => now.ms,
  );
  const failed = { error: { name: 'AppError', code: 'database_unreachable' } };
  for (let n = 0; n < 25; n += 1) log.error(failed, 'a request failed');
  log.error({ error: { name: 'TypeError' } }, 'a request failed');
  expect(lines).toHaveLength(11);
  now.ms = 10_000;
  log.error(failed, 'a request failed');
  expect(lines.at(-1)).toEqual([{ ...failed, alike_left_out: 15 }, 'a request failed']);
  expect(log.debug()).toBe('as it was');
});

test('warnings are sampled apart from errors', () => {
  const lines: string[] = [];
  const write = (level: string) => (_fields: object, _text: string) => void lines.push(level);
  const log = sampledLog({ error: write('error'), warn: write('warn') }, () => 0);
  for (let n = 0; n < 25; n += 1) log.warn({}, 'a webhook was refused');
  log.error({}, 'a webhook was refused');
  expect(lines).toEqual([...Array.from({ length: 10 }, () => 'warn'), 'error']);
});
