import type pg from 'pg';
import type { RealConnections } from '../database/real-connections.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../database/simulated-database.ts';
import type { Planted } from '../planted/planted.ts';
import { createIssuer, type Issuer } from '../psps/issuer.ts';
import { createSandboxPsp } from '../psps/sandbox-psp.ts';
import { sentChargeOf } from '../psps/sent-charge.ts';
import { createStripePsp, type StripePsp } from '../psps/stripe/stripe-psp.ts';
import { createWorldpayPsp } from '../psps/worldpay-psp.ts';
import { emptyRecord, type WorldRecord } from '../record.ts';
import type { Draws } from '../schedule/draws.ts';
import type { Machine } from '../schedule/machine.ts';
import { Scheduler } from '../schedule/scheduler.ts';
import type { Trace } from '../schedule/trace.ts';
import { createWire, type WireServer } from '../wire/wire.ts';
import { type AccountChanges, createAccountChanges } from './account-changes.ts';
import { createAnswerWatch } from './answer-watch.ts';
import { type ArchiveCounts, createArchiveCounts } from './archive/archive-counts.ts';
import { Fleet } from './fleet.ts';
import { ServiceCalls } from './service-calls.ts';
import { origins } from './service-process.ts';
import { createSimulatedMerchant, type SimulatedMerchant } from './simulated-merchant.ts';
import { stripeAccountsOf } from './stripe-accounts.ts';
import { createStripeTells } from './stripe-tells.ts';
import type { Swarm } from './swarm.ts';
import type { Told } from './told.ts';
import { createWakeDue } from './wake-due.ts';
import { createWeather, type Weather } from './weather.ts';

/** Everything of one run: the service, what it runs on, and who is outside. */
export interface FaultWorld {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly record: WorldRecord;
  readonly issuer: Issuer;
  readonly stripe: StripePsp;
  readonly merchants: readonly SimulatedMerchant[];
  readonly weather: Weather;
  readonly database: SimulatedDatabase;
  readonly fleet: Fleet;
  readonly calls: ServiceCalls;
  readonly accounts: AccountChanges;
  readonly archived: Readonly<ArchiveCounts>;
  /** Everything that was told to the service and acknowledged. */
  readonly told: Told[];
  /** For what the simulator itself does with the database. */
  readonly admin: pg.Client;
  readonly whenIdle: () => Promise<void>;
}

export interface FaultWorldInput {
  readonly real: RealConnections;
  readonly draws: Draws;
  readonly swarm: Swarm;
  readonly trace: Trace;
  readonly startMs: number;
  readonly planted?: Planted | undefined;
}

/** How long after a payment Worldpay's record may not hold it yet. */
const worldpayLagMs = 60_000;

export function createFaultWorld(input: FaultWorldInput): FaultWorld {
  const { real, draws, swarm, planted } = input;
  const scheduler = new Scheduler(input.startMs, input.trace);
  const outside = createOutside(scheduler, input);
  const weather = createWeather(swarm, draws.fork('weather'));
  const accounts = createAccountChanges({
    ...outside,
    scheduler,
    draws,
    calls: () => calls,
    share: swarm.accountsReplaced,
  });
  const answers = createAnswerWatch({ scheduler, admin: real.admin, record: outside.record });
  const wire = createWire({
    scheduler,
    serverAt: (origin) => outside.servers.get(origin),
    fateOf(request) {
      const fate = weather.exchangeFate(request);
      const sent = sentChargeOf({ ...request, sentMs: scheduler.nowMs() });
      const isLost = fate.answerMs < 0 || fate.server === 'error_after';
      if (sent?.psp === 'stripe' && isLost) accounts.noteLost(sent.account);
      return fate;
    },
    onSent(request) {
      const sent = sentChargeOf(request);
      if (sent !== undefined) outside.record.sends.push(sent);
    },
    onAnswered: answers.noteAnswer,
    onStart: (machine) => fleet.strike(machine),
  });
  const { counts: archived, add: addArchived } = createArchiveCounts();
  const database = createSimulatedDatabase({
    scheduler,
    real,
    fateOf(machine) {
      fleet.strike(machine);
      return weather.statementFate();
    },
    rewrite: (statement) => planted?.statement?.(statement),
    serverNow: () => new Date(scheduler.nowMs()),
    onCommit: addArchived,
  });
  const askTime = (machine: Machine) => askedTime(scheduler, weather, machine);
  const fleet = new Fleet({ scheduler, draws, wire, database, weather, swarm, planted, askTime });
  const calls = new ServiceCalls({ scheduler, draws, fleet, weather });
  const told: Told[] = [];
  const { admin } = real;
  const own = { scheduler, draws, weather, database, fleet, calls, accounts, told, admin };
  const whenIdle = whenIdleOf({ ...outside, ...own, isSilent: swarm.isStripeSilent }, () =>
    answers.look(),
  );
  return { ...own, archived, whenIdle, ...outside };
}

/** What is looked at before time makes a long step. */
function whenIdleOf(
  world: Parameters<typeof createStripeTells>[0] & Pick<FaultWorld, 'admin' | 'fleet' | 'database'>,
  lookAtAnswers: () => Promise<void>,
): () => Promise<void> {
  const { scheduler, draws, admin, fleet, database } = world;
  const tellEvents = createStripeTells(world);
  const wakeDue = createWakeDue({
    scheduler,
    draws: draws.fork('wake'),
    admin,
    processes: () => fleet.processes(),
    executed: () => database.executed,
  });
  return async () => {
    tellEvents();
    await wakeDue();
    await lookAtAnswers();
  };
}

/** A process asks the database for its time: the way there and back takes its own. */
function askedTime(scheduler: Scheduler, weather: Weather, machine: Machine): Promise<number> {
  return new Promise((resolve) => {
    const { there, back } = weather.timeFate();
    const answer = () => {
      const atMs = scheduler.nowMs();
      scheduler.after(back, () => resolve(atMs), machine);
    };
    scheduler.after(there, answer, machine);
  });
}

/** The PSPs and the merchants, with what they know. */
function createOutside(scheduler: Scheduler, { draws, swarm }: FaultWorldInput) {
  const record = emptyRecord();
  const issuer = createIssuer();
  const nowMs = () => scheduler.nowMs();
  const psp = { record, issuer, nowMs };
  const stripe = createStripePsp(psp, swarm.clocks.pspOffsetMs);
  const merchants = swarm.manners.map((_, index) =>
    createSimulatedMerchant(
      { record, draws: draws.fork(`merchant ${index}`), nowMs },
      { origin: `http://10.9.0.${index + 1}`, stripeAccount: stripeAccountsOf(index)[0] ?? '' },
    ),
  );
  const servers = new Map<string, WireServer>([
    [origins.sandbox, createSandboxPsp(psp)],
    [origins.stripe, stripe],
    [origins.worldpay, createWorldpayPsp(psp, worldpayLagMs)],
    ...merchants.map((merchant) => [merchant.origin, merchant] as const),
  ]);
  return { record, issuer, stripe, merchants, servers };
}
