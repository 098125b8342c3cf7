import type { Decline } from '../../domain/declines/decline.ts';
import type { CardNetwork } from '../../domain/declines/decline-codes.ts';
import { normaliseDecline } from '../../domain/declines/normalise-decline.ts';

/** A decline as the sandbox's answer gives it. */
export interface SandboxDecline {
  readonly code: string;
  readonly message?: string;
  readonly network?: CardNetwork;
  readonly networkCode?: string;
  readonly adviceCode?: string;
}

/** The sandbox has no table of its own: what the pretended network said decides. */
export function sandboxDecline({ code, ...said }: SandboxDecline): Decline {
  return normaliseDecline({ psp: 'sandbox', pspCode: code, ...said });
}
