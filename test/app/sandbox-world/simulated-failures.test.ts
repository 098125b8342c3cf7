import { expect, it } from 'vitest';
import { simulatedFailures } from '../../../src/app/sandbox-world/simulated-failures.ts';
import { compileSchema } from '../../../src/http/check-schema.ts';
import type { Caller } from '../../../src/http/recovery/caller.ts';
import { paymentFaults } from '../../../src/http/recovery/intake/payment-rules.ts';
import { paymentSchema } from '../../../src/http/recovery/intake/payment-schema.ts';

const at = new Date('2026-03-01T12:00:00.000Z');
const failures = (batch: string, seed: number) =>
  simulatedFailures({ batch, count: 60, seed, windowDays: 28, at });
const amounts = (batch: string, seed: number) =>
  failures(batch, seed).map(({ transactions: [first] }) => first?.amount);

it('gives the same payers for the same seed, with invoices of their own', () => {
  expect(amounts('b1', 7)).toEqual(amounts('b2', 7));
  expect(amounts('b1', 7)).not.toEqual(amounts('b1', 8));
  const ids = [...failures('b1', 7), ...failures('b2', 7)].map(({ invoice }) => invoice.id);
  expect(new Set(ids).size).toBe(120);
});

it('reports what the recovery API accepts', () => {
  const faultsOf = compileSchema<Caller>(paymentSchema, paymentFaults);
  const caller = { merchantId: 'mer_1', psps: ['sandbox'] } as const;
  for (const body of failures('b1', 7)) expect(faultsOf(body, caller)).toEqual([]);
});

it('has cards that pass later, and cards that never do', () => {
  const cards = failures('b1', 7).map((body) => body.transactions[0]?.payment_method_id ?? '');
  const untils = cards.flatMap((card) => /_until_(\d+)--/.exec(card)?.[1] ?? []);
  expect(untils.length).toBeGreaterThan(10);
  expect(untils.length).toBeLessThan(60);
  for (const unix of untils) expect(Number(unix) * 1_000).toBeGreaterThanOrEqual(at.getTime());
});
