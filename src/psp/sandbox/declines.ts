import type { Decline } from '../../domain/decline.ts';
import type { CardNetwork } from '../../domain/decline-codes.ts';
import { limits } from '../../domain/limits.ts';
import { normaliseNetworkDecline } from '../../domain/normalise-network-decline.ts';

/** A decline as the sandbox's answer gives it. */
export interface SandboxDecline {
  readonly code: string;
  readonly message?: string;
  readonly network?: CardNetwork;
  readonly networkCode?: string;
  readonly adviceCode?: string;
}

/** The sandbox has no reading of its own: what the pretended network said decides. */
export function sandboxDecline(said: SandboxDecline): Decline {
  const { network: _network, message, ...codes } = said;
  return {
    ...codes,
    ...(message !== undefined && { message: message.slice(0, limits.messageLength) }),
    ...normaliseNetworkDecline(said),
  };
}
