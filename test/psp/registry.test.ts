import { expect, it } from 'vitest';
import { createPspRegistry } from '../../src/psp/registry.ts';
import { sandboxCapabilities } from '../../src/psp/sandbox/capabilities.ts';
import type { PspGateway } from '../../src/recovery/ports.ts';

const gateway: PspGateway = {
  charge: () => Promise.resolve({ kind: 'not_made', reason: 'a test' }),
  lookUp: () => Promise.resolve({ kind: 'not_found' }),
};
const registry = createPspRegistry([{ gateway, capabilities: sandboxCapabilities }]);

it('finds the gateway of a processor that is set up', () => {
  expect(registry.find('sandbox')).toEqual({
    kind: 'supported',
    gateway,
    capabilities: sandboxCapabilities,
  });
  expect(registry.supported()).toEqual(['sandbox']);
});

it('says which processor is not set up', () => {
  expect(registry.find('stripe')).toEqual({
    kind: 'unsupported',
    psp: 'stripe',
    reason: 'Charging through stripe is not set up.',
  });
});

it.each(['', 'Sandbox', 'square', '__proto__', 'constructor'])('knows no processor %j', (name) => {
  expect(registry.find(name)).toMatchObject({ kind: 'unknown_psp' });
});
