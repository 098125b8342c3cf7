import type { ReportedDispute } from '../../../domain/disputes/reported-dispute.ts';
import type { Fault } from '../../../domain/json/fault.ts';
import type { PaymentEventBody, PaymentMethodUpdateBody } from '../../../domain/payment-event.ts';
import type { Psp } from '../../../domain/psps.ts';
import type { EngineDeps, PspConnectionKey } from '../../engine/deps.ts';
import type { StopDeps } from '../../engine/stop-payment.ts';
import type { IncidentStore } from '../../incidents/incident-ports.ts';
import type { RequestLog } from '../../intake-ports.ts';
import type { PspEventOutcome, PspEventStore } from '../../psp-event-ports.ts';
import type { ParsedEvent, PspEvent, PspGateway } from '../../psp-ports.ts';

export interface PspEventDeps
  extends Pick<
      EngineDeps,
      | 'clock'
      | 'random'
      | 'signLink'
      | 'payments'
      | 'answers'
      | 'merchants'
      | 'wake'
      | 'findGateway'
      | 'log'
    >,
    Pick<StopDeps, 'pause' | 'elapsedMs'> {
  readonly requestLog: Pick<RequestLog, 'append'>;
  readonly events: PspEventStore;
  readonly incidents: Pick<IncidentStore, 'findByCharge' | 'move'>;
  /** Every account of the merchant at the PSP, the active one first, then those it replaced. */
  readonly listGateways: (connection: PspConnectionKey) => Promise<readonly PspGateway[]>;
  /** What the disputes side makes of a dispute; it may be told of one again without harm. */
  readonly ingestDispute: (input: {
    readonly merchantId: string;
    readonly psp: Psp;
    readonly dispute: ReportedDispute;
    readonly occurredAt: Date;
  }) => Promise<void>;
  /** What is wrong with a report by the rules of the recovery API, nothing where it would be taken. */
  readonly checkPayment: (body: PaymentEventBody, psps: readonly Psp[]) => readonly Fault[];
  readonly checkPaymentMethodUpdate: (body: PaymentMethodUpdateBody) => readonly Fault[];
  readonly countEvent: (psp: Psp, outcome: PspEventOutcome) => void;
}

/** One event of a webhook that was verified, with whose account it came from. */
export interface NamedEvent {
  readonly merchantId: string;
  readonly psp: Psp;
  /** Which of the merchant's accounts at the PSP sent it. */
  readonly connectionVersion: number;
  /** Whether real money moves at that account; absent where nobody knows. */
  readonly isLive?: boolean;
  readonly event: Omit<PspEvent, 'parsed'>;
}

export interface IncomingEvent<Kind extends ParsedEvent['kind']> extends NamedEvent {
  readonly parsed: Extract<ParsedEvent, { kind: Kind }>;
}
