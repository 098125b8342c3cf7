import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { magicMethods } from '../../../src/psp/sandbox/magic-methods.ts';
import { outcomeOf, verdictOf } from '../../../src/psp/sandbox/server/outcomes.ts';

it.each([
  ['pm_sandbox_success', 'succeeded'],
  ['pm_sandbox_success--42', 'succeeded'],
  ['pm_sandbox_decline_51', '51'],
  ['pm_sandbox_decline_r0', 'R0'],
  ['pm_sandbox_decline_6P--card-2', '6P'],
  ['pm_sandbox_decline_116', '116'],
  ['pm_sandbox_decline_51_mac_30', '51 mac 30'],
  ['pm_sandbox_lost_success', 'succeeded lost'],
  ['pm_sandbox_lost_decline--b', '51 lost'],
  ['pm_sandbox_lost_before', 'lost_before'],
  ['pm_sandbox_not_found--7', 'not_found'],
  ['pm_sandbox_unavailable', 'unavailable'],
  ['pm_sandbox_success_after_1', 'succeeded'],
  ['pm_sandbox_success_after_2', '51'],
])('does for %s what its name says: %s', (method, wanted) => {
  expect(told(method)).toBe(wanted);
});

it.each([
  '',
  'pm_sandbox_',
  'pm_sandbox_sucess',
  'pm_sandbox_success_after_0',
  'pm_sandbox_success_after_1000',
  'pm_sandbox_decline_',
  'pm_sandbox_decline_5',
  'pm_sandbox_decline_51_mac_3',
  'pm_sandbox_decline_51_mac_030',
  'pm_sandbox_decline_00',
  'pm_sandbox_success-42',
  'PM_SANDBOX_SUCCESS',
  'pm_1NxW',
  'constructor',
])('knows no method %j', (method) => {
  const outcome = outcomeOf(method);
  expect(outcome).toMatchObject({
    kind: 'decided',
    answerLost: false,
    verdict: { error: { code: 'no_such_payment_method', network_code: '14' } },
  });
});

it('lets the n-th try of an invoice and each later one succeed', () => {
  const counts = fc.integer({ min: 1, max: 999 });
  fc.assert(
    fc.property(counts, fc.nat(2_000), (tries, earlier) => {
      const outcome = outcomeOf(`pm_sandbox_success_after_${tries}`);
      if (outcome.kind !== 'succeed_after') throw new Error(outcome.kind);
      const succeeded = verdictOf(outcome, earlier, new Date(0)).error === undefined;
      expect(succeeded).toBe(earlier + 1 >= tries);
    }),
  );
});

it('does the same for an id whatever its suffix', () => {
  const names = [
    'success',
    'decline_05',
    'lost_success',
    'not_found',
    'unavailable',
    'success_after_4',
    'other',
  ];
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.string(), (name, suffix) => {
      const method = `pm_sandbox_${name}`;
      expect(outcomeOf(`${method}--${suffix}`)).toEqual(outcomeOf(method));
    }),
  );
});

function told(method: string): string {
  const outcome = outcomeOf(method);
  if (!('verdict' in outcome) && outcome.kind !== 'succeed_after') return outcome.kind;
  const { error } = verdictOf(outcome, 0, new Date(0));
  const advice = error?.advice_code === undefined ? '' : ` mac ${error.advice_code}`;
  const lost = outcome.kind === 'decided' && outcome.answerLost ? ' lost' : '';
  return `${error?.network_code ?? 'succeeded'}${advice}${lost}`;
}

it('declines until the time that an id names, and lets charges pass from then on', () => {
  const outcome = outcomeOf('pm_sandbox_decline_51_mac_25_until_1772355600--1');
  if (outcome.kind !== 'decline_until') throw new Error(outcome.kind);
  const at = (text: string) => verdictOf(outcome, 9, new Date(text));
  expect(at('2026-03-01T08:59:59.999Z').error?.advice_code).toBe('25');
  expect(at('2026-03-01T09:00:00.000Z')).toEqual({ network: 'mastercard', error: undefined });
});

const examples = magicMethods.flatMap((method) => method.examples);

it.each(examples)('knows %s, an example of the list that operators see', (example) => {
  const outcome = outcomeOf(example);
  const code = outcome.kind === 'decided' ? outcome.verdict.error?.code : undefined;
  expect(code).not.toBe('no_such_payment_method');
});

it('lists the ids that the docs tell of', async () => {
  const docs = await readFile(join(import.meta.dirname, '../../../docs/sandbox.md'), 'utf8');
  const rows = [...docs.matchAll(/^\| `(pm_sandbox_\S+)` \|/gm)].map(([, id]) => id);
  expect(magicMethods.map(({ id }) => id)).toEqual(rows);
});
