import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addMs, dayMs, minuteMs, secondMs } from '../../src/domain/clock.ts';
import type { JsonObject } from '../../src/domain/payment.ts';
import { type BackgroundJob, inBatches, type JobContext } from '../../src/jobs/background-job.ts';
import { startJobQueue } from '../../src/jobs/job-queue.ts';
import { createJobTimes, type Query } from '../../src/jobs/job-times.ts';
import { databaseFault } from '../../src/store/database-fault.ts';
import { queryOnce } from '../kits/query-once.ts';
import { type JobWorld, openJobWorld, recorder, signal } from './job-world.ts';

/** For what the queue notices when it next looks. */
const slow = { timeout: 25_000 };

let world: JobWorld;
beforeEach(async () => {
  world = await openJobWorld();
});
afterEach(() => world.close());

const onDemand = (
  run: (input: JsonObject, context: JobContext) => Promise<void>,
): BackgroundJob => ({
  name: 'bulk',
  onDemand: true,
  run,
});

async function rows(): Promise<readonly { state: string; name: string; start_after: Date }[]> {
  return world.db.query(
    {
      name: 'jobs',
      text: `select name, state::text, start_after from ${world.jobsSchema}.job order by 1, 3`,
    },
    [],
  );
}

describe('a job that is asked for', () => {
  it('runs at once with its input, once for each key', async () => {
    const runs: JsonObject[] = [];
    const held = signal();
    const begun = signal();
    const ended = signal();
    const job = onDemand(async (input) => {
      runs.push(input);
      begun.give();
      if (runs.length === 1) await held.given;
      else ended.give();
    });
    const { queue } = await world.start([job]);
    expect(await queue.request('bulk', { input: { a: [1, null] }, key: 'x' })).toBe('queued');
    await begun.given;
    expect(await queue.request('bulk', { input: { a: 2 }, key: 'x' })).toBe('known');
    expect(await queue.request('bulk', { input: { a: 3 }, key: 'y' })).toBe('queued');
    held.give();
    await ended.given;
    expect(runs).toEqual([{ a: [1, null] }, { a: 3 }]);
  });

  it('is run by another process than the one that asks', async () => {
    const ran = signal<JsonObject>();
    const asking = await world.start([onDemand(async () => undefined)], { work: false });
    await world.start([onDemand(async (input) => ran.give(input))]);
    await asking.queue.request('bulk', { input: { n: 7 }, key: 'x' });
    expect(await ran.given).toEqual({ n: 7 });
  });

  it('and has failed is run at once when it is asked for again, not only after its pause', async () => {
    const ran = signal();
    const failed = signal();
    let isMended = false;
    const { queue } = await world.start([
      onDemand(async () => {
        if (isMended) return ran.give();
        failed.give();
        throw new Error('not mended yet');
      }),
    ]);
    await queue.request('bulk', { input: {}, key: 'x' });
    await failed.given;
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ state: 'retry' }]), slow);
    const later = `update ${world.jobsSchema}.job set start_after = start_after + interval '1 hour'`;
    await world.db.query({ name: 'later', text: later }, []);
    isMended = true;
    expect(await queue.request('bulk', { input: {}, key: 'x' })).toBe('known');
    await ran.given;
  });

  it('and has failed keeps why, and no value of the row that it failed at', async () => {
    const ran = signal();
    const { queue } = await world.start([
      onDemand(async () => {
        ran.give();
        const text = `
          insert into operators (operator_id, name, role, created_at)
          values ('op_1', 'Jane Roe', 'nobody', '2026-03-01T00:00:00Z')`;
        await world.db.query({ name: 'refused', text }, []);
      }),
    ]);
    await queue.request('bulk', { input: {}, key: 'x' });
    await ran.given;
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ state: 'retry' }]), slow);
    const text = `select output::text from ${world.jobsSchema}.job`;
    const [kept] = await world.db.query<{ output: string }>({ name: 'outputs', text }, []);
    expect(kept?.output).toContain('violates check constraint');
    expect(kept?.output).not.toContain('Jane Roe');
  });

  it('rings the processes that run it, which would else look for it ten seconds later', async () => {
    const ran = signal();
    const listeners: (() => void)[] = [];
    const rings = {
      ring: vi.fn(() => {
        for (const listener of listeners) listener();
      }),
      on: (listener: () => void) => void listeners.push(listener),
    };
    await world.start([onDemand(async () => ran.give())], { rings });
    const asking = await world.start([onDemand(async () => undefined)], { work: false, rings });
    expect(listeners).toHaveLength(1);
    await asking.queue.request('bulk', { input: {}, key: 'x' });
    expect(rings.ring).toHaveBeenCalledOnce();
    await ran.given;
  });

  it('ends at its next batch when the process stops, and another one goes on with it', async () => {
    const left = [10, 10, 10, 10];
    const began = signal();
    const finished = signal();
    const job = onDemand(async (_, context) => {
      await inBatches(context, async () => {
        began.give();
        if (left.length === 4) {
          await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
        }
        return left.shift() ?? 0;
      });
      finished.give();
    });
    const first = await world.start([job]);
    await first.queue.request('bulk', { input: {}, key: 'x' });
    await began.given;
    await first.stop();
    expect(left).toEqual([10, 10, 10]);
    expect(first.lines.map(({ message }) => message)).toContain(
      'a job was interrupted; it goes on later',
    );
    expect(first.lines.filter(({ level }) => level === 'error')).toEqual([]);
    const second = await world.start([job]);
    await finished.given;
    expect(left).toEqual([]);
    const seen = second.lines.filter(({ message }) => message === 'a job goes on');
    expect(seen.map(({ fields }) => fields.done)).toEqual([10, 20, 30]);
  });
});

describe('the job queue', () => {
  it('outside the sandbox runs a periodic job by the real clock', async () => {
    const twice = signal();
    const everySecond = recorder('every-second', secondMs, (runs) => {
      if (runs === 2) twice.give();
    });
    await world.start([everySecond.job], { sandbox: false });
    await twice.given;
    for (const at of everySecond.runs) expect(Math.abs(+at - Date.now())).toBeLessThan(20_000);
  });

  it('knows the next time of each job, and none of a job that is no more', async () => {
    const daily = recorder('daily', dayMs);
    const old = recorder('of-an-older-version', 6 * secondMs);
    await (await world.start([daily.job, old.job])).stop();
    const { times, clock } = await world.start([daily.job], { work: false });
    const midnight = new Date((Math.floor(clock.now().getTime() / dayMs) + 1) * dayMs);
    expect(await times.earliestJobAt(clock.now())).toEqual(midnight);
    expect(await times.countDue(new Date(midnight.getTime() - 1))).toEqual({});
    expect(await times.countDue(midnight)).toEqual({ daily: 1 });
  });

  it('does not stop moved time for a job that comes round within the hour, and runs it then', async () => {
    const often = recorder('often', 5 * minuteMs);
    const daily = recorder('daily', dayMs);
    const { driver } = await world.start([often.job, daily.job]);
    const { now } = await driver.show();
    const { jumps } = await driver.advanceTo(addMs(now, 3 * dayMs));
    expect(daily.runs).toHaveLength(3);
    expect(often.runs.length).toBeGreaterThanOrEqual(3);
    // Each day, and the end.
    expect(jumps).toBeLessThanOrEqual(8);
  });

  it('has no times where no process has run jobs yet', async () => {
    const query: Query = (statement, values) => world.db.query(statement, values);
    const times = createJobTimes({ query, schema: 'pgboss' }, [{ name: 'daily' }]);
    expect(await times.earliestJobAt(new Date())).toBeUndefined();
    expect(await times.countDue(new Date())).toEqual({});
  });

  it('goes on when its connections were cut, and only logs it', async () => {
    const ran = signal();
    const { queue, lines } = await world.start([onDemand(async () => ran.give())]);
    const cut = {
      name: 'cut',
      text: `select pg_terminate_backend(pid) from pg_stat_activity
             where application_name = 'recoup jobs' and datname = current_database()`,
    };
    await world.db.query(cut, []);
    await vi.waitFor(() => expect(lines.map(({ level }) => level)).toContain('error'), slow);
    const [failure] = lines.filter(({ level }) => level === 'error');
    expect(failure?.message).toBe(
      'the job queue lost its connection to the database, and makes a new one when it next looks for jobs',
    );
    // The other connection may be found to be cut only when it is used.
    await vi.waitFor(() => queue.request('bulk', { input: {}, key: 'x' }), slow);
    await ran.given;
  });

  it('refuses to be asked for a job that it does not have, or that comes round by itself', async () => {
    const { queue } = await world.start([recorder('daily', dayMs).job]);
    const asked = { input: {}, key: 'x' };
    await expect(queue.request('other', asked)).rejects.toThrow('Invariant broken');
    await expect(queue.request('daily', asked)).rejects.toThrow('Invariant broken');
  });

  it('gives each periodic job one row, however many processes start at once', async () => {
    const daily = recorder('daily', dayMs);
    await Promise.all([1, 2, 3, 4].map(() => world.start([daily.job])));
    expect(await rows()).toHaveLength(1);
  });

  it('keeps its own tables in their own schema', async () => {
    await world.start([]);
    const rows = await world.db.query<{ schema: string }>(
      {
        name: 'schemas',
        text: `select distinct table_schema as schema from information_schema.tables
               where table_name in ('job', 'queue', 'job_common')
                 and table_schema in (current_schema(), 'pgboss', '${world.jobsSchema}')`,
      },
      [],
    );
    expect(rows).toEqual([{ schema: world.jobsSchema }]);
  });

  it('brings a queue of an older version to the present options', async () => {
    const daily = recorder('daily', dayMs);
    await (await world.start([daily.job])).stop();
    const queues = `${world.jobsSchema}.queue`;
    const change = { name: 'older', text: `update ${queues} set heartbeat_seconds = 77` };
    await world.db.query(change, []);
    await world.start([daily.job]);
    const read = { name: 'options', text: `select heartbeat_seconds as s from ${queues}` };
    expect(await world.db.query(read, [])).toEqual([{ s: 10 }]);
  });
});

describe('a start that fails', () => {
  const log = { info() {}, warn() {}, error() {} };
  const clock = { now: () => new Date() };
  const start = (connectionString: string) =>
    startJobQueue(
      { clock, log, databaseFault },
      {
        connectionString,
        schema: world.jobsSchema,
        applicationName: 'recoup jobs',
        jobs: [],
        work: true,
      },
    );

  it('says that the database is unreachable', async () => {
    await expect(start('postgres://nobody@127.0.0.1:1/none')).rejects.toMatchObject({
      code: 'database_unreachable',
    });
  });

  it('says that its tables cannot be brought to this version', async () => {
    const schema = world.jobsSchema;
    // A node of Citus makes what its coordinator does not know of.
    await queryOnce(
      world.connectionString,
      `set citus.enable_ddl_propagation = off; create schema ${schema} create table version (x int)`,
    );
    await expect(start(world.connectionString)).rejects.toMatchObject({
      code: 'migration_failed',
      detail: expect.stringContaining("The job queue's tables could not be migrated"),
    });
  });
});
