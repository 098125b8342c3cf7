import type { Psp } from '../domain/psps.ts';
import type { PspAdapter } from './adapter.ts';

export interface PspRegistry {
  /** Undefined for a processor that no adapter is set up for. */
  find(psp: Psp): PspAdapter | undefined;
  all(): readonly PspAdapter[];
}

/** The adapters by processor. Each one's capabilities name the processor it stands for. */
export function createPspRegistry(adapters: readonly PspAdapter[]): PspRegistry {
  const byPsp = new Map(adapters.map((adapter) => [adapter.capabilities.psp, adapter]));
  return {
    find: (psp) => byPsp.get(psp),
    all: () => [...byPsp.values()],
  };
}
