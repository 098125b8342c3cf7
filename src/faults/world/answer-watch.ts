import type pg from 'pg';
import { secondMs } from '../../domain/clock.ts';
import { sentChargeOf } from '../psps/sent-charge.ts';
import type { SentCharge, WorldRecord } from '../record.ts';
import type { Machine } from '../schedule/machine.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import type { WireAnswer, WireRequest } from '../wire/wire.ts';

/** Looks at what the service has recorded of the answers that reached it. */
export interface AnswerWatch {
  /** An answer reached the process. */
  noteAnswer(machine: Machine, request: WireRequest, answer: WireAnswer): void;
  /** Looks at those that are due before the next event: nothing changes until then. */
  look(): Promise<void>;
}

interface Watched {
  readonly machine: Machine;
  readonly troubles: number;
  readonly sent: SentCharge;
  readonly atMs: number;
}

/** Statuses by which a PSP says what became of a charge. */
const definite = [200, 201, 402];
/** Enough for the few statements that record an answer, where none of them is slow. */
const patienceMs = 30 * secondMs;

const statesQuery = {
  name: 'faults_charge_states',
  text: `
    select state from psp_transactions
    where idempotency_key = $1 order by state`,
};

export function createAnswerWatch(deps: {
  readonly scheduler: Scheduler;
  readonly admin: pg.Client;
  readonly record: WorldRecord;
}): AnswerWatch {
  const { scheduler, admin, record } = deps;
  let watched: readonly Watched[] = [];

  async function judge({ machine, troubles, sent, atMs }: Watched): Promise<void> {
    if (!machine.isAlive || machine.troubles !== troubles) return;
    const { psp, key } = sent;
    const { rows } = await admin.query<{ state: string }>({ ...statesQuery, values: [key] });
    record.answers.push({ psp, key, atMs, recorded: rows.map(({ state }) => state) });
  }

  return {
    noteAnswer(machine, request, { status }) {
      const sent = sentChargeOf(request);
      if (sent === undefined || !definite.includes(status)) return;
      const { troubles } = machine;
      watched = [...watched, { machine, troubles, sent, atMs: scheduler.nowMs() }];
    },
    async look() {
      const nextMs = scheduler.nextAtMs();
      const due = watched.filter(({ atMs }) => atMs + patienceMs <= nextMs);
      if (due.length === 0) return;
      watched = watched.filter((one) => !due.includes(one));
      for (const one of due) await judge(one);
    },
  };
}
