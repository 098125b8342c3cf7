import { type Psp, psps } from '../domain/psps.ts';
import type { PspGateway } from '../recovery/ports.ts';
import type { PspCapabilities } from './capabilities.ts';

/** A processor that this Recoup can charge through. */
export interface PspEntry {
  readonly gateway: PspGateway;
  readonly capabilities: PspCapabilities;
}

/**
 * `unsupported`: a processor that the APIs name, but that no gateway is set up for.
 * `unknown_psp`: a name that is none of them.
 */
export type PspChoice =
  | ({ readonly kind: 'supported' } & PspEntry)
  | { readonly kind: 'unsupported'; readonly psp: Psp; readonly reason: string }
  | { readonly kind: 'unknown_psp'; readonly reason: string };

export interface PspRegistry {
  find(name: string): PspChoice;
  /** The processors that can be charged through, in the order of the enumeration. */
  supported(): readonly Psp[];
}

/** The gateways by processor. Each entry's capabilities name the processor it stands for. */
export function createPspRegistry(entries: readonly PspEntry[]): PspRegistry {
  const byPsp = new Map(entries.map((entry) => [entry.capabilities.psp, entry]));
  return {
    find(name) {
      const psp = psps.find((known) => known === name);
      if (psp === undefined) {
        return { kind: 'unknown_psp', reason: 'No such payment service provider.' };
      }
      const entry = byPsp.get(psp);
      if (entry === undefined) {
        return { kind: 'unsupported', psp, reason: `Charging through ${psp} is not set up.` };
      }
      return { kind: 'supported', ...entry };
    },
    supported: () => psps.filter((psp) => byPsp.has(psp)),
  };
}
