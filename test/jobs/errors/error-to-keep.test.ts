import { expect, it } from 'vitest';
import { errorToKeep } from '../../../src/jobs/errors/error-to-keep.ts';

const unreadable = Object.assign(new Error('invalid input syntax for type uuid: "jo@x.test"'), {
  code: '22P02',
});

it('keeps where an error was thrown, and nothing of what its message quotes', () => {
  const kept = errorToKeep(unreadable);
  expect(kept.stack).toMatch(/^Error: a statement failed at a value \(22P02\)\n +at /);
  expect(JSON.stringify([kept.message, kept.stack])).not.toContain('jo@x.test');
});
