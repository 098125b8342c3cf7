/** A dispute at a test server: what was laid beside it, and how often an answer was sent on. */
export interface TestDispute {
  readonly id: string;
  /** What lies there, as the server was sent it. */
  readonly staged: unknown[];
  submissions: number;
}

/** What goes wrong at the next writing call. */
export type DisputeFault = 'lost_before' | 'lost_after' | 'refused';

/** The disputes of a test server; one that is not open is unknown there. */
export class TestDisputes {
  readonly #disputes = new Map<string, TestDispute>();
  #fault: DisputeFault | undefined;

  open(id: string): TestDispute {
    const dispute: TestDispute = { id, staged: [], submissions: 0 };
    this.#disputes.set(id, dispute);
    return dispute;
  }

  find(id: string): TestDispute | undefined {
    return this.#disputes.get(id);
  }

  failNext(fault: DisputeFault): void {
    this.#fault = fault;
  }

  /** What goes wrong now; only once. */
  takeFault(): DisputeFault | undefined {
    const fault = this.#fault;
    this.#fault = undefined;
    return fault;
  }
}
