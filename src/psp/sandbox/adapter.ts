import type { AdapterOptions, PspAdapter } from '../adapter.ts';
import { sandboxAcceptance } from './acceptance.ts';
import { sandboxCapabilities } from './capabilities.ts';
import { createSandboxClient } from './client.ts';
import { sandboxCredentials } from './credentials.ts';
import { sandboxEvidence } from './evidence.ts';
import { createSandboxGateway } from './gateway.ts';

export interface SandboxOptions extends Omit<AdapterOptions, 'clock'> {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Connections kept open at most; more charges at once wait for one. Default 128. */
  readonly connections?: number;
}

/** The sandbox PSP: every connection is to the same pretended account. */
export function createSandboxAdapter(options: SandboxOptions): PspAdapter {
  const client = createSandboxClient(options);
  const account = {
    ...createSandboxGateway(client),
    evidence: sandboxEvidence,
    acceptance: sandboxAcceptance,
  };
  return {
    capabilities: sandboxCapabilities,
    credentialFields: sandboxCredentials,
    connect: () => account,
    close: () => client.close(),
  };
}
