import { expect, it } from 'vitest';
import { simulatedReports } from '../../../src/app/sandbox-world/simulated-failures.ts';
import { createWorldIssuer, readWorldCard } from '../../../src/app/sandbox-world/world-card.ts';
import { addMs, hourMs } from '../../../src/domain/clock.ts';
import { compileSchema } from '../../../src/http/check-schema.ts';
import type { Reporter } from '../../../src/http/recovery/caller.ts';
import { paymentFaults } from '../../../src/http/recovery/intake/payment-rules.ts';
import { paymentSchema } from '../../../src/http/recovery/intake/payment-schema.ts';
import type { ChargeInput } from '../../../src/psp/sandbox/server/charge-input.ts';
import { charge } from '../../../src/simulator/charge.ts';
import { drawPayer } from '../../../src/simulator/payer.ts';
import { buildWorld } from '../../../src/simulator/world.ts';

const at = new Date('2026-03-01T12:00:00.000Z');
const reports = (batch: string, seed: number) =>
  simulatedReports({ batch, count: 60, seed, windowDays: 28, at });
const failures = (batch: string, seed: number) => reports(batch, seed).failures;
const amounts = (batch: string, seed: number) =>
  failures(batch, seed).map(({ transactions: [first] }) => first?.amount);
const cards = failures('b1', 7).map((body) => body.transactions[0]?.payment_method_id ?? '');
const chargeOf = (payment_method: string) => ({ payment_method }) as ChargeInput;

it('gives the same payers for the same seed, with invoices of their own', () => {
  expect(amounts('b1', 7)).toEqual(amounts('b2', 7));
  expect(amounts('b1', 7)).not.toEqual(amounts('b1', 8));
  const ids = [...failures('b1', 7), ...failures('b2', 7)].map(({ invoice }) => invoice.id);
  expect(new Set(ids).size).toBe(120);
});

it('reports what the recovery API accepts', () => {
  const faultsOf = compileSchema<Reporter>(paymentSchema, paymentFaults);
  const caller = { merchantId: 'mer_1', psps: ['sandbox'] } as const;
  for (const body of failures('b1', 7)) expect(faultsOf(body, caller)).toEqual([]);
});

it('has cards whose issuers answer each try as those of the world', () => {
  const decide = createWorldIssuer();
  const world = buildWorld({ seed: 7, days: 28 });
  const told = { approved: 0, byChance: 0 };
  for (const [index, card] of cards.entries()) {
    const payer = drawPayer(world, index);
    const tried = [3, 30, 200, 201, 400, 660];
    const verdicts = tried.map((hours, count) => {
      const earlier = tried.slice(0, count).map((hour) => addMs(at, hour * hourMs));
      return decide(chargeOf(card), addMs(at, hours * hourMs + 1_000), earlier);
    });
    const expected = tried.map((hours, count) => {
      const past = tried.slice(0, count).map((hour) => payer.failedHour + hour);
      return charge(world, payer, payer.failedHour + hours, past);
    });
    expect(verdicts.map((verdict) => verdict?.error?.network_code)).toEqual(
      expected.map((result) =>
        result.kind === 'approved' ? undefined : result.decline.networkCode,
      ),
    );
    const passes = expected.map(({ kind }) => kind === 'approved');
    if (passes.includes(true)) told.approved += 1;
    // Passed once, and was declined later: luck, not the cause.
    if (passes.lastIndexOf(false) > passes.indexOf(true) && passes.includes(true))
      told.byChance += 1;
  }
  expect(told.approved).toBeGreaterThan(20);
  expect(told.byChance).toBeGreaterThan(3);
});

it('leaves other cards to their ids', () => {
  const decide = createWorldIssuer();
  for (const id of [
    'pm_sandbox_success',
    'pm_sandbox_world_1_99_1_1--x',
    'pm_sandbox_world_1--x',
  ]) {
    expect(decide(chargeOf(id), at, [])).toBeUndefined();
    expect(readWorldCard(id)).toBeUndefined();
  }
});

it('reports the cards that the updater renews, each at its hour, after which they pass', () => {
  const batch = reports('b1', 3);
  expect(batch.updates).toHaveLength(2);
  const decide = createWorldIssuer();
  for (const { at: renewedAt, body } of batch.updates) {
    const methods = batch.failures.map(({ transactions: [first] }) => first?.payment_method_id);
    expect(methods).toContain(body.payment_method_id);
    const hours = [-2, 1, 2, 3, 4].map((hour) => addMs(renewedAt, hour * hourMs));
    const codes = hours.map(
      (hour) => decide(chargeOf(body.payment_method_id), hour, [])?.error?.network_code,
    );
    expect(codes[0]).toBeDefined();
    expect(codes.slice(1)).toContain(undefined);
  }
});
