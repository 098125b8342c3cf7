import { describe, expect, it, onTestFinished } from 'vitest';
import { addMs, type Clock, dayMs } from '../../src/domain/clock.ts';
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
  /** The whole ledger of the processor. */
  charges(): Promise<readonly SeenCharge[]> | readonly SeenCharge[];
}

/**
 * Deaths of each of the two kinds: over the six processors, more than a thousand in all.
 * CRASH_RUNS=1000 makes it as many of each kind for each.
 */
const runs = Number(process.env.CRASH_RUNS ?? 102);
/** How many payments are under way at once. */
const atOnce = 102;
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
export function describeCrashes(name: string, start: (clock: Clock) => Promise<CrashPsp>): void {
  const engineWorld = useEngineWorld();
  describe(`${name}, when the worker dies`, () => {
    it.each(deaths)('$name: no invoice is charged twice', { timeout: 600_000 }, async (death) => {
      let world: EngineWorld | undefined;
      // The processor's clock is the engine's: keys are forgotten when their time has come.
      const psp = await start({ now: () => world?.clock.now() ?? worldStart });
      onTestFinished(() => psp.adapter.close());
      const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
      const random = seeded(seed);
      for (let done = 0; done < runs; done += atOnce) {
        world = await engineWorld({
          psps: [psp.adapter.capabilities.psp],
          policy: { windowDays: 3, fixedDays: [1, 2], maxAttempts: 2 },
        });
        const round = { death: death.moments, random, from: done, told: `CRASH_SEED=${seed}` };
        await oneRound(world, psp, round);
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
  const before = (await psp.charges()).length;
  const through = partsFor(world, psp);
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
  const made = (await psp.charges()).slice(before);
  const byInvoice = await chargesByInvoice(world, made, round.told);
  for (const invoiceId of invoices) {
    await expectOnce(world, byInvoice.get(invoiceId) ?? [], `${invoiceId} (${round.told})`);
  }
}

/** Each payment has a card of its own, since the networks' limits are another test's. */
const ownCard = '--';

type Parts = Pick<Worker['deps'], 'findGateway' | 'merchantClient'>;

/** The processor's account; it knows the card by what it does. The merchant always says yes. */
function partsFor(world: EngineWorld, psp: CrashPsp): Parts {
  const gateway = psp.adapter.connect(psp.credentials);
  const known = <Request extends { readonly paymentMethodId: string }>(request: Request) => ({
    ...request,
    paymentMethodId: request.paymentMethodId.split(ownCard)[0] ?? '',
  });
  return {
    findGateway: async () => ({
      ...gateway,
      charge: (request) => gateway.charge(known(request)),
      lookUp: (request) => gateway.lookUp(known(request)),
    }),
    merchantClient: {
      askRetryStatus: async () => ({ kind: 'retry', reason: 'the invoice is open' }),
      sendWebhook: (request) => world.deps.merchantClient.sendWebhook(request),
    },
  };
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
      pspCustomerId: 'cus_1',
      methods: [`${method}${ownCard}${invoiceId}`],
      psp: psp.adapter.capabilities.psp,
    }),
  );
}

async function runAndDie(
  world: EngineWorld,
  through: Parts,
  payment: DuePayment,
  { death, random }: Round,
): Promise<void> {
  const worker = workerThatDies(world, random.pick(death), through);
  await worker.run(payment).catch((error: unknown) => {
    expect(String(error)).toBe('Error: the worker is dead');
  });
  expect(worker.isDead()).toBe(true);
}

/** What the ledger holds, by our invoices; every charge in it is one of ours, made once. */
async function chargesByInvoice(
  world: EngineWorld,
  charges: readonly SeenCharge[],
  told: string,
): Promise<ReadonlyMap<string, readonly SeenCharge[]>> {
  const rows = await world.rows<{ key: string; invoice: string }>(
    'select idempotency_key as key, invoice_id as invoice from psp_transactions',
  );
  const invoices = new Map(rows.map((row) => [row.key, row.invoice]));
  const keys = charges.map((charge) => charge.idempotencyKey);
  expect(new Set(keys).size, `charges by key (${told})`).toBe(keys.length);
  expect(keys.filter((key) => !invoices.has(key))).toEqual([]);
  return Map.groupBy(charges, (charge) => invoices.get(charge.idempotencyKey) ?? '');
}

/** One success at most; and where our record is certain, it is the processor's. */
async function expectOnce(
  world: EngineWorld,
  charges: readonly SeenCharge[],
  what: string,
): Promise<void> {
  const successes = charges.filter((charge) => charge.succeeded);
  expect(successes.length, what).toBeLessThanOrEqual(1);
  const { status, attempts } = await world.payment(what.split(' ')[0]);
  if (status === 'recovered') expect(successes, what).toHaveLength(1);
  const isBlocked = attempts.some((attempt) => attempt.status === 'unknown');
  if (status !== 'recovered' && !isBlocked) expect(successes, what).toEqual([]);
}
