import type { PspCredentials } from '../../../src/psp/adapter.ts';
import type { GatewayUnderTest, SeenCharge } from '../../psp/conformance.ts';

/** A running server that speaks a processor's wire format and keeps a ledger of charges. */
export interface TestPsp {
  readonly url: string;
  readonly credentials: PspCredentials;
  readonly refusedCredentials: PspCredentials;
  readonly methods: GatewayUnderTest['methods'];
  charges(invoiceId?: string): readonly SeenCharge[];
  /** Every text that it received or answered. */
  written(): string;
  close(): Promise<void>;
}
