import type { Clock } from '../../domain/clock.ts';
import type { Merchant, MerchantSecrets } from '../../domain/merchant.ts';
import type { Psp } from '../../domain/psps.ts';
import type { Random } from '../../domain/random.ts';
import type { PaymentStore } from '../engine-ports.ts';
import type { MerchantClient, PspGateway } from '../ports.ts';

/** Merchants as the engine looks them up, at every step anew. */
export interface Merchants {
  findMerchant(merchantId: string): Promise<Merchant | undefined>;
  merchantSecrets(merchantId: string): Promise<MerchantSecrets>;
}

/** Says that work is due now, so that its loop does not wait for its next look. */
export interface Wake {
  requests(): void;
  payments(): void;
  deliveries(): void;
  unknownCharges(): void;
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
  readonly payments: PaymentStore;
  readonly merchants: Merchants;
  readonly merchantClient: MerchantClient;
  readonly findGateway: (psp: Psp) => PspGateway | undefined;
  readonly wake: Wake;
  readonly log: EngineLog;
  readonly settings: EngineSettings;
}
