import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addMs, dayMs, minuteMs } from '../../../src/domain/clock.ts';
import { attemptMoves, paymentMoves } from '../../../src/domain/states.ts';
import { failedEvent, paidEvent } from '../../kits/billing-events.ts';
import { type EngineWorld, type MerchantOptions, useEngineWorld } from '../../kits/engine.ts';
import { type Moves, reachable } from '../../kits/state-moves.ts';
import { leaseMs } from '../../kits/worker.ts';
import { workerStruckAt, workerThatDies } from './faulty-worker.ts';
import { type Command, customerOf, histories, merchantAnswers } from './model-commands.ts';

const engineWorld = useEngineWorld();
/** MODEL_SEED runs histories again that a failure has printed; MODEL_RUNS looks for more of them. */
const seed = Number(process.env.MODEL_SEED ?? randomInt(2 ** 31));
const numRuns = Number(process.env.MODEL_RUNS ?? 25);
const policy = { windowDays: 10, maxAttempts: 4, fixedDays: [1, 3, 5, 7] };
const options: MerchantOptions = { policy, endOfDunning: true };
const owed = 1223;

/** What the test knows of a history besides what the engine recorded. */
interface Knowledge {
  /** How many charges of the invoice the PSP held when its stop was acknowledged. */
  readonly stopped: Map<string, number>;
  /** When methods were renewed, by the merchant's word. */
  readonly renewals: { readonly method: string; readonly at: Date }[];
  /** The state of each payment and attempt when it was last looked at, by its id. */
  readonly states: Map<string, string>;
}

const invoiceId = (invoice: number): string => `in_${invoice}`;

async function run(world: EngineWorld, known: Knowledge, command: Command): Promise<void> {
  const { clock } = world;
  switch (command.kind) {
    case 'fail': {
      const customer = customerOf(command.invoice);
      await world.submit(
        failedEvent({
          invoiceId: invoiceId(command.invoice),
          customerId: `cus_${customer}`,
          pspCustomerId: `psp_cus_${customer}`,
          methods: command.methods,
          outcome: { raw_response_message: `${command.code}: said the issuer` },
          at: clock.now(),
        }),
      );
      return;
    }
    case 'pay':
      await world.submit(paidEvent({ invoiceId: invoiceId(command.invoice), at: clock.now() }));
      return;
    case 'update': {
      const { customer, atPsp, method, reason } = command;
      const who = atPsp
        ? { psp_customer_id: `psp_cus_${customer}` }
        : { customer_id: `cus_${customer}` };
      // What follows an update comes after it, if only by a moment.
      clock.passMs(1);
      if (reason !== 'user_removed') known.renewals.push({ method, at: clock.now() });
      await world.submitUpdate({ ...who, payment_method_id: method, reason });
      return;
    }
    case 'stop': {
      const id = invoiceId(command.invoice);
      // Whoever asks does not wait for days: a charge in flight is looked for a few times.
      let looks = 0;
      const impatient = world.worker(() => ({
        pause: async () => {
          looks += 1;
          if (looks % 50 === 0) await new Promise(setImmediate);
        },
      }));
      const outcome = await impatient.stop(id, { waits: command.waits });
      if (outcome.kind === 'stopped') known.stopped.set(id, (await world.ledger(id)).length);
      return;
    }
    case 'retry':
      await world.retry(invoiceId(command.invoice), addMs(clock.now(), command.inMs));
      return;
    case 'work':
      await world.runUntil(addMs(clock.now(), command.forMs));
      return;
    case 'sleep':
      clock.passMs(command.forMs);
      return;
    case 'die': {
      const worker = workerThatDies(world, command.moment);
      await world.runUntil(addMs(clock.now(), command.forMs), worker).catch(() => undefined);
      return;
    }
    case 'hold_up': {
      const { operation, when } = command.moment;
      // Nothing can be told between the last look at the clock and the socket.
      if (operation === 'charge' && when === 'before') return;
      const worker = workerStruckAt(world, command.moment, async () => {
        clock.passMs(leaseMs);
        await world.runUntil(addMs(clock.now(), leaseMs));
      });
      await world.runUntil(addMs(clock.now(), command.forMs), worker);
      expect(worker.failures).toEqual([]);
      return;
    }
    case 'at_once':
      await Promise.all(command.commands.map((each) => run(world, known, each)));
      return;
    case 'merchant_says':
      world.server.answerLookups(merchantAnswers[command.answer] ?? {});
      return;
    case 'webhooks':
      world.server.answerWebhooks(command.up ? { status: 200 } : { status: 503 });
  }
}

const movesOf: Readonly<Record<string, Moves>> = { payment: paymentMoves, attempt: attemptMoves };

/** What has another state than before came there by moves of the tables, one or several. */
async function expectMovesOfTables(world: EngineWorld, { states }: Knowledge): Promise<void> {
  const rows = await world.rows<{ kind: string; id: string; state: string }>(
    `select 'payment' as kind, invoice_id as id, state from payments
     union all select 'attempt', attempt_id, state from all_attempts`,
  );
  for (const { kind, id, state } of rows) {
    const before = states.get(id);
    states.set(id, state);
    if (before === undefined || before === state) continue;
    const allowed = reachable(movesOf[kind] ?? {}, before);
    expect([...allowed], `${kind} ${id}, which was ${before}`).toContain(state);
  }
}

/** What must hold of the record and of the PSP's, whatever happened. */
async function expectPromisesKept(world: EngineWorld, known: Knowledge): Promise<void> {
  expect(await world.faults()).toEqual([]);
  const payments = await world.rows<{
    id: string;
    ends: Date;
    tries: number;
    numbers: readonly number[];
    max: number;
  }>(
    `select p.invoice_id as id, window_ends_at as ends, max_attempts as max,
            (count(*) filter (where a.state in ('succeeded', 'declined')))::int as tries,
            coalesce(array_agg(a.number order by a.number) filter (where a.number is not null), '{}') as numbers
     from payments p left join all_attempts a using (merchant_id, invoice_id)
     group by 1, 2, 3`,
  );
  for (const { id, ends, tries, numbers, max } of payments) {
    expect(tries).toBeLessThanOrEqual(max);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    const charges = await world.ledger(id);
    const stoppedWith = known.stopped.get(id);
    if (stoppedWith !== undefined) expect(charges).toHaveLength(stoppedWith);
    const closed = new Map<string, Date>();
    for (const charge of charges) {
      const at = new Date(charge.created_at);
      expect(charge.amount).toBeLessThanOrEqual(owed);
      expect(at.getTime()).toBeLessThanOrEqual(addMs(ends, minuteMs).getTime());
      const closedAt = closed.get(charge.payment_method);
      if (closedAt !== undefined) {
        const renewed = known.renewals.some(
          (renewal) => renewal.method === charge.payment_method && renewal.at > closedAt,
        );
        expect(renewed).toBe(true);
      }
      if (charge.error?.network_code === '43') closed.set(charge.payment_method, at);
    }
  }
}

/** Once all is well again, everything comes to an end by itself, or stands before a person. */
async function expectRest(world: EngineWorld): Promise<void> {
  world.server.answerLookups({ body: { retry: true, reason: 'Invoice open' } });
  world.server.answerWebhooks({ status: 200 });
  await world.runUntil(addMs(world.clock.now(), (policy.windowDays + 8) * dayMs));
  const open = await world.rows(
    `select invoice_id, state from payments
     where state in ('scheduled', 'attempting') and set_aside_at is null`,
  );
  expect(open).toEqual([]);
  expect(await world.rows(`select 1 from requests where state <> 'applied'`)).toEqual([]);
  expect(await world.rows(`select 1 from deliveries where state = 'pending'`)).toEqual([]);
  expect(world.failures).toEqual([]);
}

it(
  `every history keeps every promise (MODEL_SEED=${seed})`,
  async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const world = await engineWorld(options);
        const known: Knowledge = { stopped: new Map(), renewals: [], states: new Map() };
        try {
          for (const command of history) {
            await run(world, known, command);
            await expectMovesOfTables(world, known);
          }
          await expectPromisesKept(world, known);
          await expectRest(world);
          await expectMovesOfTables(world, known);
          await expectPromisesKept(world, known);
        } finally {
          await world.close();
        }
      }),
      { seed, numRuns, endOnFailure: true },
    );
  },
  1_000 * Math.max(60, 3 * numRuns),
);
