/**
 * What the world outside the service knows of a run: the PSPs' ledgers, what merchants said and got,
 * and what was acknowledged to them. The checker judges by this and a dump of the tables alone.
 * Instants are milliseconds of the world's own time.
 */
export interface WorldRecord {
  readonly debts: DebtRecord[];
  readonly charges: LedgerCharge[];
  readonly sends: SentCharge[];
  readonly answers: ReceivedAnswer[];
  readonly lookUps: LookUp[];
  readonly yeses: Yes[];
  readonly inbox: InboxItem[];
  readonly requests: AcknowledgedRequest[];
  readonly stops: AcknowledgedStop[];
  readonly restores: RestoredBackup[];
  readonly askedAgain: AskedAgain[];
  readonly contradictions: ToldContradiction[];
}

/** The database went back to a copy of `backupMs`: what it took in until `atMs` it does not know. */
export interface RestoredBackup {
  readonly backupMs: number;
  readonly atMs: number;
}

/** What somebody owes once, under all the names that it is reported by. */
export interface DebtRecord {
  readonly debtId: string;
  readonly merchantId: string;
  readonly psp: string;
  /** The ids that reports give its invoice. */
  readonly invoiceIds: readonly string[];
  /** The PSP keeps the invoice, and collects it itself as well. */
  readonly livesAtPsp: boolean;
  readonly owedMinor: number;
  readonly currency: string;
  readonly methodIds: readonly string[];
}

/** A charge in a PSP's own books. */
export interface LedgerCharge {
  readonly psp: string;
  readonly account: string;
  readonly chargeId: string;
  readonly debtId: string;
  /** `foreign`: the merchant's own, beside the service. */
  readonly origin: 'ours' | 'psp' | 'foreign';
  readonly key: string;
  readonly methodId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly state: 'succeeded' | 'declined';
  readonly declineCode?: string | undefined;
  readonly atMs: number;
  /** When its request was written to the wire. */
  readonly sentMs: number;
}

/** A request to charge that was written to the wire, whether it arrived or not. */
export interface SentCharge {
  readonly psp: string;
  readonly account: string;
  readonly key: string;
  readonly atMs: number;
}

/** A definite answer to a charge that reached a process which nothing kept from its work. */
export interface ReceivedAnswer {
  readonly psp: string;
  readonly key: string;
  readonly atMs: number;
  /** The states in which the service had recorded the charge soon afterwards. */
  readonly recorded: readonly string[];
}

/** A question for one charge that came to a PSP. */
export interface LookUp {
  readonly psp: string;
  readonly account: string;
  readonly key: string;
  readonly atMs: number;
}

/** An answer of a merchant's server that allowed a charge. */
export interface Yes {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly amountMinor: number;
  readonly methodIds: readonly string[];
  readonly atMs: number;
}

/** A webhook that arrived at a merchant. */
export interface InboxItem {
  readonly merchantId: string;
  readonly dedupId: string;
  readonly type: string;
  readonly body: string;
  readonly atMs: number;
  readonly isSigned: boolean;
}

export interface AcknowledgedRequest {
  readonly merchantId: string;
  readonly uuid: string;
  readonly debtId: string;
  readonly atMs: number;
}

export interface AcknowledgedStop {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly atMs: number;
}

/** A merchant asked for an event that it had read of, to have it sent once more. */
export interface AskedAgain {
  readonly merchantId: string;
  readonly eventId: string;
  readonly dedupId: string;
  /** The answer: it is about to be sent, or there is none. */
  readonly isFound: boolean;
  /** When it asked first, and when it had its answer. */
  readonly sinceMs: number;
  readonly atMs: number;
}

/** A PSP said of one of our charges, long after it succeeded, that it did not, and was heard. */
export interface ToldContradiction {
  readonly merchantId: string;
  readonly key: string;
  readonly atMs: number;
}

export function emptyRecord(): WorldRecord {
  return {
    debts: [],
    charges: [],
    sends: [],
    answers: [],
    lookUps: [],
    yeses: [],
    inbox: [],
    requests: [],
    stops: [],
    restores: [],
    askedAgain: [],
    contradictions: [],
  };
}
