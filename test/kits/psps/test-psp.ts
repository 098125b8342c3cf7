import type { PspCredentials } from '../../../src/psp/adapter.ts';
import type { GatewayUnderTest, SeenCharge } from '../../psp/conformance.ts';

/** A running server that speaks a processor's wire format and keeps a ledger of its charges. */
export interface TestPsp {
  readonly url: string;
  readonly credentials: PspCredentials;
  readonly refusedCredentials: PspCredentials;
  readonly methods: GatewayUnderTest['methods'];
  /** All charges, or those of one invoice. */
  charges(invoiceId?: string): readonly SeenCharge[];
  /** Every text that the server was sent or wrote. */
  written(): string;
  close(): Promise<void>;
}
