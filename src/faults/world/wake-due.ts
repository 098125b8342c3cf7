import type pg from 'pg';
import { hourMs, secondMs } from '../../domain/clock.ts';
import type { Draws } from '../schedule/draws.ts';
import type { Planned, Scheduler } from '../schedule/scheduler.ts';
import type { ServiceProcess } from './service-process.ts';

/** The tables whose rows are jobs, and the loop of each. */
const loops = {
  requests: 'requests',
  payments: 'payments',
  deliveries: 'deliveries',
  endpoint_deliveries: 'deliveries',
  psp_transactions: 'unknownCharges',
} as const;
type Table = keyof typeof loops;

const tables = Object.keys(loops) as readonly Table[];

/** What is leased is due when its lease ends. */
const dueQuery = {
  name: 'faults_due',
  text: tables
    .map(
      (table) => `select '${table}' as name, min(greatest(next_attempt_at, lease_until)) as at
        from ${table} where next_attempt_at is not null`,
    )
    .join(' union all '),
};

/**
 * Stands in for the loops' polls every quarter of a second, which would be most of a simulation: when
 * nothing else happens, whatever falls due next is looked for, and a process rung for it.
 */
export function createWakeDue(deps: {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly admin: pg.Client;
  readonly processes: () => readonly ServiceProcess[];
  /** Counts up with each statement: between two equal counts nothing new can fall due. */
  readonly executed: () => number;
}): () => Promise<void> {
  const { scheduler, draws } = deps;
  const rung = new Map<
    Table,
    { readonly dueMs: number; readonly again: number; planned: Planned }
  >();

  function plan(table: Table, dueMs: number): void {
    const before = rung.get(table);
    if (before !== undefined && before.dueMs === dueMs && before.again < 0) return;
    const isStill = before?.dueMs === dueMs;
    if (!isStill) before?.planned.cancel();
    const again = isStill ? before.again : 0;
    // What stays due though a process was rung for it is looked at again, less and less often.
    const waitMs = isStill ? Math.min(secondMs * 4 ** again, hourMs) : draws.unit() * 250;
    const delayMs = Math.max(0, dueMs - scheduler.nowMs()) + waitMs;
    const entry = {
      dueMs,
      again: -1 - again,
      planned: scheduler.after(delayMs, () => ring(table)),
    };
    rung.set(table, entry);
  }

  function ring(table: Table): void {
    const before = rung.get(table);
    if (before !== undefined) rung.set(table, { ...before, again: -before.again });
    const able = deps
      .processes()
      .filter(({ machine }) => machine.isAlive && machine.heldUntilMs <= scheduler.nowMs());
    if (able.length === 0) return;
    const first = draws.whole(0, able.length - 1);
    for (const [index, process] of able.entries()) {
      if (index !== first && !draws.chance(0.15)) continue;
      const wake = () => process.engine.deps.wake[loops[table]]();
      void process.time.awake().then(() => process.machine.run(wake));
    }
  }

  let seen = -1;
  let known: readonly { readonly name: Table; readonly at: Date | null }[] = [];
  return async () => {
    if (seen !== deps.executed()) known = await read();
    seen = deps.executed();
    for (const { name, at } of known) if (at !== null) plan(name, at.getTime());
  };

  async function read() {
    const { rows } = await deps.admin.query<{ name: Table; at: Date | null }>(dueQuery);
    return rows;
  }
}
