import { describe, expect, it, onTestFinished } from 'vitest';
import { addMs, dayMs } from '../../src/domain/clock.ts';
import type { PspAdapter, PspCredentials } from '../../src/psp/adapter.ts';
import type { DuePayment } from '../../src/recovery/engine-ports.ts';
import { failedEvent, worldStart } from '../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../kits/engine.ts';
import { type Seeded, seeded } from '../kits/seeded.ts';
import { leaseMs, type Worker } from '../kits/worker.ts';
import { type Moment, workerThatDies } from '../recovery/engine/faulty-worker.ts';
import type { GatewayUnderTest, SeenCharge } from './conformance.ts';

/** A processor's test server, and the adapter that charges through it. */
export interface CrashPsp {
  readonly adapter: PspAdapter;
  readonly credentials: PspCredentials;
  readonly methods: GatewayUnderTest['methods'];
  /** What the processor's ledger holds of an invoice. */
  chargesOf(invoiceId: string): Promise<readonly SeenCharge[]> | readonly SeenCharge[];
}

/**
 * Deaths of each kind: over the six processors, more than a thousand. CRASH_RUNS=1000 makes it as
 * many for each.
 */
const runs = Number(process.env.CRASH_RUNS ?? 200);
/** How many payments are under way at once. */
const atOnce = 100;
const firstTry = addMs(worldStart, dayMs);
/** Two tries, every look-up of both, and a day more. */
const end = addMs(worldStart, 5 * dayMs);

type Deaths = [Moment, ...Moment[]];
const deaths: readonly { readonly name: string; readonly moments: Deaths }[] = [
  {
    name: 'between the commit of the charge and its call',
    moments: [
      { operation: 'begin', when: 'after', nth: 1 },
      { operation: 'charge', when: 'before', nth: 1 },
    ],
  },
  {
    name: 'between the call and the commit of its outcome',
    moments: [
      { operation: 'charge', when: 'after', nth: 1 },
      { operation: 'record', when: 'before', nth: 1 },
    ],
  },
];

/**
 * Hundreds of payments of which each loses its worker in the middle of a charge, at a processor that
 * does what it can to confuse: its ledger must never hold two successes for one invoice.
 */
export function describeCrashes(name: string, start: () => Promise<CrashPsp>): void {
  const engineWorld = useEngineWorld();
  describe(`${name}, when the worker dies`, () => {
    it.each(deaths)('$name: no invoice is charged twice', { timeout: 600_000 }, async (death) => {
      const psp = await start();
      onTestFinished(() => psp.adapter.close());
      const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
      const random = seeded(seed);
      const told = `CRASH_SEED=${seed}`;
      for (let done = 0; done < runs; done += atOnce) {
        const world = await engineWorld({
          psps: [psp.adapter.capabilities.psp],
          policy: { windowDays: 3, fixedDays: [1, 2], maxAttempts: 2 },
        });
        await oneRound(world, psp, { death: death.moments, random, from: done, told });
        await world.close();
      }
    });
  });
}

interface Round {
  readonly death: Deaths;
  readonly random: Seeded;
  readonly from: number;
  /** How to run the same again. */
  readonly told: string;
}

async function oneRound(world: EngineWorld, psp: CrashPsp, round: Round): Promise<void> {
  const gateway = psp.adapter.connect(psp.credentials);
  const through = { findGateway: async () => gateway };
  const invoices = Array.from({ length: atOnce }, (_, index) => `in_${round.from + index}`);
  await Promise.all(invoices.map((invoiceId) => submit(world, psp, invoiceId, round.random)));
  const healthy = world.worker(() => through);
  await healthy.settle();
  world.clock.set(firstTry);
  const due = await healthy.claimPayments(atOnce);
  expect(due).toHaveLength(atOnce);
  await Promise.all(due.map((payment) => runAndDie(world, through, payment, round)));
  world.clock.passMs(leaseMs);
  await world.runUntil(end, healthy);
  expect(healthy.failures).toEqual([]);
  for (const invoiceId of invoices) await expectOnce(world, psp, invoiceId, round.told);
}

function submit(world: EngineWorld, psp: CrashPsp, invoiceId: string, random: Seeded) {
  const { methods } = psp;
  const method = random.pick([
    methods.success,
    methods.decline,
    methods.lostSuccess,
    methods.lostDecline,
    methods.lostBefore,
    ...methods.serverErrors,
  ]);
  return world.submit(
    failedEvent({
      invoiceId,
      customerId: `cus_of_${invoiceId}`,
      pspCustomerId: `cus_at_psp_of_${invoiceId}`,
      // A card of its own: the networks' limits are another test's.
      methods: [`${method}--${invoiceId}`],
      psp: psp.adapter.capabilities.psp,
    }),
  );
}

async function runAndDie(
  world: EngineWorld,
  through: Pick<Worker['deps'], 'findGateway'>,
  payment: DuePayment,
  { death, random }: Round,
): Promise<void> {
  const moment = random.pick(death);
  const worker = workerThatDies(world, moment, through);
  await worker.run(payment).catch((error: unknown) => {
    expect(String(error)).toBe('Error: the worker is dead');
  });
  expect(worker.isDead()).toBe(true);
}

/** One success at most; and where our record is certain, it is the processor's. */
async function expectOnce(
  world: EngineWorld,
  psp: CrashPsp,
  invoiceId: string,
  told: string,
): Promise<void> {
  const what = `${invoiceId} (${told})`;
  const charges = await psp.chargesOf(invoiceId);
  const successes = charges.filter((charge) => charge.succeeded);
  expect(successes.length, `${what} at the PSP`).toBeLessThanOrEqual(1);
  const { status, attempts } = await world.payment(invoiceId);
  if (status === 'recovered') expect(successes, `${what} with us`).toHaveLength(1);
  const isBlocked = attempts.some((attempt) => attempt.status === 'unknown');
  if (status !== 'recovered' && !isBlocked) expect(successes, what).toEqual([]);
  // At most one charge of each key, whatever became of it.
  const keys = charges.map((charge) => charge.idempotencyKey);
  expect(new Set(keys).size, `${what}: charges by key`).toBe(keys.length);
}
