import { AppError } from '../../domain/errors.ts';
import type { KeyProvider } from './key-provider.ts';

/** The wrapping keys of a process: the present one wraps, each unwraps what it has wrapped. */
export interface KeyRing extends KeyProvider {
  /** The ids of the others: earlier keys, and those to come. */
  readonly others: readonly string[];
}

export function createKeyRing(current: KeyProvider, others: readonly KeyProvider[]): KeyRing {
  const byId = new Map([...others, current].map((provider) => [provider.keyId, provider]));
  return {
    keyId: current.keyId,
    others: [...byId.keys()].filter((keyId) => keyId !== current.keyId),
    wrap: (plain, context) => current.wrap(plain, context),
    async unwrap(wrapped, context, keyId) {
      const provider = byId.get(keyId);
      if (provider === undefined) {
        const known = [...byId.keys()].join(', ');
        const detail = `A stored key is wrapped by ${keyId}; this process knows ${known}.`;
        throw new AppError('encryption_key_wrong', detail);
      }
      return await provider.unwrap(wrapped, context, keyId);
    },
  };
}
