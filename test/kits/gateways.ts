import { sandboxCapabilities } from '../../src/psp/sandbox/capabilities.ts';
import type { EngineDeps } from '../../src/recovery/engine/deps.ts';
import type { PspGateway } from '../../src/recovery/psp-ports.ts';

type FindGateway = Pick<EngineDeps, 'findGateway'>;

/** The gateways of `deps`, each with something exchanged. */
export function changedGateways(
  deps: FindGateway,
  change: (gateway: PspGateway) => Partial<PspGateway>,
): FindGateway {
  return {
    async findGateway(key) {
      const gateway = await deps.findGateway(key);
      return gateway && { ...gateway, ...change(gateway) };
    },
  };
}

/** For every PSP a gateway that does only what it is told to. */
export function onlyGateway(told: Partial<PspGateway>): FindGateway {
  const gateway: PspGateway = {
    capabilities: sandboxCapabilities,
    charge: unexpected,
    lookUp: unexpected,
    findInvoice: unexpected,
    refund: unexpected,
    listCharges: unexpected,
    readReport: () => {
      throw new Error('a gateway was given a report that this test does not expect');
    },
    lookUpDispute: unexpected,
    checkCredentials: unexpected,
    readWebhook: unexpected,
    ...told,
  };
  return { findGateway: async () => gateway };
}

async function unexpected(): Promise<never> {
  throw new Error('a gateway was asked what this test does not expect');
}
