/** A dispute at a test server: what was laid beside it, and how often it was answered. */
export interface TestDispute {
  readonly id: string;
  /** What lies there, as the server was sent it. */
  readonly staged: unknown[];
  submissions: number;
  /** How often its PSP asks for evidence: once, unless it is said. */
  asks?: number;
  /** When the evidence that lies there was received, where the server says so. */
  givenAt?: string;
  /** How often it was accepted, and how often that was asked for, in vain or not. */
  acceptances: number;
  acceptCalls: number;
  /** Pieces that were ever laid there, where the server counts them. */
  added?: number;
}

/** Whether it has its answer, whichever: it takes no other. */
export function isAnswered({ submissions, acceptances, asks = 1 }: TestDispute): boolean {
  return submissions >= asks || acceptances > 0;
}

/** A file as a test server got it. */
export interface ReceivedFile {
  readonly id: string;
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** What goes wrong at the next writing call. */
export type DisputeFault = 'lost_before' | 'lost_after' | 'refused';

/** The disputes of a test server; one that is not open is unknown there. */
export class TestDisputes {
  readonly #disputes = new Map<string, TestDispute>();
  #fault: DisputeFault | undefined;
  #refusesFile = false;
  /** Every upload, in its order: one that came twice stands here twice. */
  readonly files: ReceivedFile[] = [];

  open(id: string): TestDispute {
    const counts = { submissions: 0, acceptances: 0, acceptCalls: 0 };
    const dispute: TestDispute = { id, staged: [], ...counts };
    this.#disputes.set(id, dispute);
    return dispute;
  }

  find(id: string): TestDispute | undefined {
    return this.#disputes.get(id);
  }

  /** Keeps an upload and names it; undefined where it is to be refused. */
  receive(file: Omit<ReceivedFile, 'id'>): ReceivedFile | undefined {
    if (this.#refusesFile) {
      this.#refusesFile = false;
      return undefined;
    }
    const kept = { ...file, id: `file_${this.files.length + 1}` };
    this.files.push(kept);
    return kept;
  }

  refuseNextFile(): void {
    this.#refusesFile = true;
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
