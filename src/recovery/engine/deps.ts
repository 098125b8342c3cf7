import type { Clock } from '../../domain/clock.ts';
import type { Merchant, MerchantSecrets } from '../../domain/merchant.ts';
import type { Psp } from '../../domain/psps.ts';
import type { Random } from '../../domain/random.ts';
import type { SignCustomerLink } from '../customers/customer-link.ts';
import type { DebtStore } from '../debts/debt-ports.ts';
import type { Endpoints } from '../endpoints/endpoint-ports.ts';
import type { DueDelivery, PaymentStore } from '../engine-ports.ts';
import type { MerchantClient } from '../merchant-ports.ts';
import type { PspGateway } from '../psp-ports.ts';
import type { AnswerStore } from './answers/answer-ports.ts';

/** Merchants as the engine looks them up, at every step anew. */
export interface Merchants {
  findMerchant(merchantId: string): Promise<Merchant | undefined>;
  merchantSecrets(merchantId: string): Promise<MerchantSecrets>;
}

/** Whose account at which PSP: the active one, or the one of this version. */
export interface PspConnectionKey {
  readonly merchantId: string;
  readonly psp: Psp;
  readonly version?: number;
}

/** Says that work is due now, so that its loop does not wait for its next look. */
export interface Wake {
  requests(): void;
  payments(): void;
  deliveries(): void;
  unknownCharges(): void;
}

/**
 * Sends events as soon as they are committed, without a claim: they are written under the lease of
 * places that were taken for them before.
 */
export interface SendAtOnce {
  /** Places for so many events of a merchant; undefined where too few are free: they are claimed then. */
  place(merchantId: string, count: number): SendPlace | undefined;
}

/** Exactly one of the two is called, once. */
export interface SendPlace {
  readonly leaseUntil: Date;
  run(deliveries: readonly DueDelivery[]): void;
  release(): void;
}

/** For the operator's log: ids and words, never personal data. */
export interface EngineLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export interface EngineSettings {
  readonly attemptLeaseMs: number;
  /** The PSP's time-out: a charge that was sent may arrive there until about then. */
  readonly pspTimeoutMs: number;
}

export interface EngineDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly signLink: SignCustomerLink;
  readonly payments: PaymentStore;
  readonly debts: DebtStore;
  readonly answers: AnswerStore;
  readonly merchants: Merchants;
  readonly endpoints: Endpoints;
  readonly merchantClient: MerchantClient;
  /** The merchant's account at the PSP; undefined where it has no connection there. */
  readonly findGateway: (connection: PspConnectionKey) => Promise<PspGateway | undefined>;
  readonly wake: Wake;
  /** Absent where nothing sends in this process. */
  readonly sendAtOnce?: SendAtOnce;
  readonly log: EngineLog;
  readonly settings: EngineSettings;
  /** The epoch of this process's time; looks for a jump each time that it is asked. */
  readonly time: { epoch(): number };
}
