import { dayMs } from '../../domain/clock.ts';
import { check, checkSoFar, type Violation } from '../checker/check.ts';
import { dumpTables } from '../database/dump-tables.ts';
import { emptyTables } from '../database/empty-tables.ts';
import type { RealConnections } from '../database/real-connections.ts';
import type { Planted } from '../planted/planted.ts';
import type { WorldRecord } from '../record.ts';
import { createDraws } from '../schedule/draws.ts';
import { createTrace } from '../schedule/trace.ts';
import { installVirtualTimers } from '../schedule/virtual-timers.ts';
import type { ArchiveCounts } from './archive/archive-counts.ts';
import { beginArchiving } from './archive/archiving.ts';
import { planAskedAgain } from './archive/asked-again.ts';
import { planLateWords } from './archive/late-words.ts';
import { createMerchants } from './create-merchants.ts';
import { DebtLife } from './debt-life.ts';
import { drawDebts } from './debts.ts';
import { createFaultWorld, type FaultWorld } from './fault-world.ts';
import { planRestore } from './restores.ts';
import { goodManners } from './simulated-merchant.ts';
import { drawSwarm, type Swarm } from './swarm.ts';

export interface SeedInput {
  readonly seed: number;
  readonly days: number;
  readonly payments: number;
  readonly onLine?: (line: string) => void;
  readonly planted?: Planted | undefined;
  /** Ends before everything has settled where a promise is broken by then: for whoever asks only whether. */
  readonly stopsWhenBroken?: boolean;
  /** Instead of what the seed draws: its faults as these say. */
  readonly change?: (swarm: Swarm) => Swarm;
}

export interface SeedRun {
  readonly hash: string;
  readonly last: readonly string[];
  readonly record: WorldRecord;
  readonly violations: readonly Violation[];
  readonly archived: Readonly<ArchiveCounts>;
}

/** When every world begins. */
const startMs = Date.parse('2026-03-01T12:00:00.000Z');
/** How long everything has to settle once nothing goes wrong any more: a window that begins last ends within it. */
const calmDays = 33;
/** Longer windows would outlast the simulation. */
const maxWindowDays = 28;

function changed(drawn: Swarm, { change, planted }: SeedInput): Swarm {
  const likelier = planted?.change?.(drawn) ?? drawn;
  return change?.(likelier) ?? likelier;
}

/** Plays one seed: a phase with its faults, then one without; and judges what it left. */
export async function runSeed(real: RealConnections, input: SeedInput): Promise<SeedRun> {
  await emptyTables(real.admin);
  const draws = createDraws(input.seed);
  const drawn = drawSwarm(draws.fork('swarm'));
  const swarm = changed(drawn, input);
  const trace = createTrace(startMs, input.onLine);
  const world = createFaultWorld({
    real,
    draws,
    swarm,
    trace,
    startMs,
    planted: input.planted,
  });
  const told = (violations: readonly Violation[]): SeedRun => ({
    hash: trace.hash(),
    last: trace.last(),
    record: world.record,
    violations,
    archived: world.archived,
  });
  const removeTimers = installVirtualTimers(world.scheduler);
  try {
    await createMerchants(world, world.merchants, Math.min(input.days, maxWindowDays));
    await playFaults(world, swarm, input);
    const early = await brokenSoFar(real, world, input);
    if (early.length > 0) return told(early);
    await playCalm(world, startMs + (input.days + calmDays) * dayMs);
  } finally {
    world.fleet.end();
    removeTimers();
    await world.database.endAll();
  }
  return told(check(world.record, await dumpTables(real.admin)));
}

async function brokenSoFar(
  real: RealConnections,
  { record }: FaultWorld,
  { stopsWhenBroken = false }: SeedInput,
): Promise<readonly Violation[]> {
  return stopsWhenBroken ? checkSoFar(record, await dumpTables(real.admin)) : [];
}

async function playFaults(world: FaultWorld, swarm: Swarm, input: SeedInput): Promise<void> {
  const { scheduler, merchants, draws } = world;
  world.weather.begin();
  world.fleet.begin();
  for (const [index, merchant] of merchants.entries()) {
    merchant.manners = swarm.manners[index] ?? goodManners;
  }
  const { days, payments: count } = input;
  if (swarm.isRestored) planRestore(world, days);
  beginArchiving(world, days);
  planAskedAgain(world, days);
  if (swarm.contradicts) planLateWords(world, days);
  for (const debt of drawDebts(draws.fork('debts'), { ...swarm, count, startMs, days })) {
    const life = new DebtLife(world, debt);
    scheduler.after(debt.failedMs - scheduler.nowMs(), () => life.begin());
  }
  await scheduler.runUntil(startMs + days * dayMs, world.whenIdle);
}

async function playCalm(world: FaultWorld, untilMs: number): Promise<void> {
  world.scheduler.note('nothing goes wrong any more');
  world.weather.setCalm();
  world.fleet.recover();
  for (const merchant of world.merchants) merchant.manners = goodManners;
  await world.scheduler.runUntil(untilMs, world.whenIdle);
}
