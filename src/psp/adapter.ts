import type { Dispatcher } from 'undici';
import type { AcceptanceGateway } from '../disputes/acceptance/acceptance-gateway.ts';
import type { EvidenceGateway } from '../disputes/submission/evidence-gateway.ts';
import type { Clock } from '../domain/clock.ts';
import type { PspCredentialField } from '../recovery/operator-api.ts';
import type { PspCapabilities, PspGateway } from '../recovery/psp-ports.ts';

/** One account at a processor: its charges, and the two answers that its disputes can have. */
export interface PspAccount extends PspGateway {
  readonly evidence: EvidenceGateway;
  readonly acceptance: AcceptanceGateway;
}

/** One processor: what it can do, what its connections need, and gateways to their accounts. */
export interface PspAdapter {
  readonly capabilities: PspCapabilities;
  /** The credentials of a connection, by the names that the operator API gives them. */
  readonly credentialFields: readonly PspCredentialField[];
  /** The account that these credentials open. Nothing is sent yet. */
  connect(credentials: PspCredentials): PspAccount;
  /** Ends its connections; charges in flight are unknown. */
  close(): Promise<void>;
}

/** Each field's text, by its name. Optional ones may be absent. */
export type PspCredentials = Readonly<Record<string, string>>;

/** What every adapter is given. */
export interface AdapterOptions {
  /** Where the processor is, instead of its public address: a setting. */
  readonly baseUrl?: string;
  /** For each whole exchange, to the answer's last byte. */
  readonly deadlineMs: number;
  readonly clock: Clock;
  /** Opens the way to an address otherwise than by sockets: a simulation's. */
  readonly reach?: Reach;
}

/** What sends requests to the server at an origin such as `https://api.stripe.com`. */
export type Reach = (origin: string) => Dispatcher;
