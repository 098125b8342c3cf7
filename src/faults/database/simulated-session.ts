import type pg from 'pg';
import type { Machine } from '../schedule/machine.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import type { Outcome, RealConnection, SentStatement, Waiting } from './real-connections.ts';
import { firstWord, shown } from './statement-words.ts';

/** What happens to one statement on its way. */
export interface StatementFate {
  /** From the call to the server. */
  readonly waitMs: number;
  /** From the server's answer to the caller. */
  readonly answerMs: number;
  /** `before`: the connection breaks before the server has it; `after`: before its answer comes. */
  readonly cut: 'never' | 'before' | 'after';
}

/** Rows that a statement of a transaction wrote or read. */
export interface ChangedRows {
  readonly name: string;
  readonly rows: number;
}

/** The server's side of all sessions. */
export interface SessionServer {
  readonly scheduler: Scheduler;
  fateOf(machine: Machine, statement: SentStatement): StatementFate;
  acquire(): Promise<RealConnection>;
  release(connection: RealConnection): void;
  /** The statement as it is run. */
  prepare(statement: SentStatement): SentStatement;
  /** Whether another session is within a transaction, which this one may wait for. */
  othersHold(session: SimulatedSession): boolean;
  /** The sessions with a statement that waits for a lock. */
  readonly waiting: Set<SimulatedSession>;
  /** A transaction has ended or a row was changed: whoever waits may go on. */
  onChange(): void;
  /** What a transaction did that has taken effect. */
  onCommit(changes: readonly ChangedRows[]): void;
}

interface Wait {
  readonly on: RealConnection;
  readonly name: string;
  readonly what: Waiting;
  readonly finish: (outcome: Outcome) => void;
  /** What it waited for has come. */
  outcome?: Outcome;
}

/** As the settings of the embedded server and of our connections say. */
const idleInTransactionMs = 60_000;
const statementTimeoutMs = 30_000;
/** No statement takes as long on its way by itself. */
const slowMs = 1_000;

export const terminated = 'Connection terminated unexpectedly';

/** One connection of a process. Within a transaction it holds a real one. */
export class SimulatedSession {
  readonly machine: Machine;
  readonly #server: SessionServer;
  #held: RealConnection | undefined;
  #wait: Wait | undefined;
  /** Of the transaction that it is in. */
  #changes: ChangedRows[] = [];
  #isBroken = false;
  #used = 0;

  constructor(server: SessionServer, machine: Machine) {
    this.#server = server;
    this.machine = machine;
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  get isInTransaction(): boolean {
    return this.#held !== undefined;
  }

  connect(done: (error: Error | undefined) => void): void {
    const { scheduler } = this.#server;
    const { waitMs, cut } = this.#server.fateOf(this.machine, { text: 'connect' });
    const end = () => {
      this.#isBroken = cut !== 'never';
      if (this.#isBroken) this.machine.troubles += 1;
      done(this.#isBroken ? new Error(terminated) : undefined);
    };
    scheduler.after(waitMs, end, this.machine);
  }

  send(statement: SentStatement, done: (outcome: Outcome) => void): void {
    const { scheduler } = this.#server;
    const fate = this.#server.fateOf(this.machine, statement);
    const name = `${this.machine.name} db ${shown(statement)}`;
    if (fate.waitMs + fate.answerMs > slowMs) this.machine.troubles += 1;
    const answer = (outcome: Outcome) => {
      const isRows = outcome.kind === 'rows';
      if (!isRows) this.machine.troubles += 1;
      scheduler.note(`${name}: ${isRows ? outcome.result.rowCount : outcome.error.message}`);
      if (fate.answerMs <= 0) done(outcome);
      else scheduler.after(fate.answerMs, () => done(outcome), this.machine);
    };
    const cutOff = async (when: string) => {
      scheduler.note(`${name}: cut ${when}`);
      this.machine.troubles += 1;
      await this.breakOff();
      done({ kind: 'error', error: new Error(terminated) });
    };
    // Not within the statement's own end: the connection is still to be given back.
    const cutSoon = () => void scheduler.after(0, () => cutOff('after it was done'), this.machine);
    const arrive = async () => {
      this.#used += 1;
      if (this.#isBroken) return done({ kind: 'error', error: new Error(terminated) });
      if (fate.cut === 'before') return cutOff('before it arrived');
      await this.#execute(statement, fate.cut === 'after' ? cutSoon : answer);
    };
    scheduler.after(fate.waitMs, arrive, this.machine);
  }

  /** Looks whether what it waited for has come; it goes on by an event of its own. */
  async lookAgain(): Promise<void> {
    const wait = this.#wait;
    if (wait === undefined || wait.outcome !== undefined) return;
    const became = await wait.on.look(wait.what);
    if ('pid' in became) return;
    wait.outcome = became;
    this.#server.scheduler.after(0, () => this.#goOn(wait, became));
  }

  /** The connection is gone: the server rolls back what it had begun. */
  async breakOff(): Promise<void> {
    if (this.#isBroken) return;
    this.#isBroken = true;
    const wait = this.#wait;
    this.#endWait();
    if (wait !== undefined) {
      if (wait.outcome === undefined) await wait.on.cancel(wait.what);
      if (this.#held === undefined) this.#server.release(wait.on);
    }
    const held = this.#held;
    if (held === undefined) return;
    await held.run({ text: 'rollback' }, false);
    this.#held = undefined;
    this.#server.release(held);
    this.#server.onChange();
  }

  #goOn(wait: Wait, outcome: Outcome): void {
    if (this.#wait !== wait) return;
    this.#endWait();
    this.#conclude(wait, '', outcome);
  }

  #endWait(): void {
    this.#wait = undefined;
    this.#server.waiting.delete(this);
  }

  async #execute(statement: SentStatement, finish: (outcome: Outcome) => void): Promise<void> {
    const word = firstWord(statement.text);
    const { name = '' } = statement;
    const on = this.#held ?? (await this.#server.acquire());
    if (word === 'begin') {
      this.#held = on;
      this.#changes = [];
      this.#watchIdle();
    }
    const mayWait = word !== 'begin' && this.#server.othersHold(this);
    const became = await on.run(this.#server.prepare(statement), mayWait);
    if (!('pid' in became)) return this.#conclude({ on, name, finish }, word, became);
    this.#wait = { on, name, what: became, finish };
    this.#server.waiting.add(this);
    this.machine.troubles += 1;
    this.#server.scheduler.note(`${this.machine.name} waits for a lock: ${shown(statement)}`);
    this.#giveUpLater(became);
  }

  #conclude(
    { on, name, finish }: Pick<Wait, 'on' | 'name' | 'finish'>,
    word: string,
    outcome: Outcome,
  ): void {
    const isOver = word === 'commit' || word === 'rollback';
    if (isOver) this.#held = undefined;
    if (outcome.kind === 'rows') this.#noteChange(name, outcome.result);
    if (this.#held === undefined) this.#server.release(on);
    finish(outcome);
    if (word !== 'begin') this.#server.onChange();
  }

  /** A transaction in which a statement failed ends by a `commit` that the server answers as a rollback. */
  #noteChange(name: string, { command, rowCount }: pg.QueryResult): void {
    if (command === 'COMMIT') this.#server.onCommit(this.#changes);
    else if (this.#held !== undefined) this.#changes.push({ name, rows: rowCount ?? 0 });
  }

  /** The server cancels what waited too long. */
  #giveUpLater(what: Waiting): void {
    this.#server.scheduler.after(statementTimeoutMs, async () => {
      const wait = this.#wait;
      if (wait?.what !== what || wait.outcome !== undefined) return;
      wait.outcome = await wait.on.cancel(what);
      this.#goOn(wait, wait.outcome);
    });
  }

  /** The server ends a session that idles in its transaction. */
  #watchIdle(): void {
    const before = this.#used;
    this.#server.scheduler.after(idleInTransactionMs, async () => {
      if (this.#held === undefined || this.#isBroken) return;
      if (this.#used !== before || this.#wait !== undefined) this.#watchIdle();
      else await this.breakOff();
    });
  }
}
