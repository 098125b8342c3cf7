import { expect, it } from 'vitest';
import { createPspRegistry } from '../../src/psp/registry.ts';
import { createSandboxAdapter } from '../../src/psp/sandbox/adapter.ts';

const adapter = createSandboxAdapter({
  baseUrl: 'http://127.0.0.1:9',
  apiKey: 'key',
  deadlineMs: 1_000,
});
const registry = createPspRegistry([adapter]);

it('finds the adapter of a processor that is set up', () => {
  expect(registry.find('sandbox')).toBe(adapter);
  expect(registry.all()).toEqual([adapter]);
});

it('has none for a processor that is not', () => {
  expect(registry.find('stripe')).toBeUndefined();
});
