import { disputeNetworkOf } from '../domain/disputes/normalise/dispute-network.ts';
import { normaliseReason } from '../domain/disputes/normalise/normalise-reason.ts';
import type { DisputeFacts } from '../domain/disputes/reported-dispute.ts';
import { present } from '../domain/present.ts';

type ReasonFacts = Pick<DisputeFacts, 'network' | 'reason' | 'reasonCode' | 'reasonFamily'>;

/** What a PSP says of the network and the reason, in the network's spelling where a table has it. */
export function reasonFacts(said: {
  readonly scheme?: string | undefined;
  readonly code?: string | undefined;
  readonly words?: string | undefined;
}): ReasonFacts {
  const network = said.scheme === undefined ? undefined : disputeNetworkOf(said.scheme);
  const code = said.code?.trim();
  const known =
    said.scheme === undefined || code === undefined
      ? undefined
      : normaliseReason(said.scheme, code);
  const reasonCode = known?.code ?? code;
  return {
    ...present({ network, reason: said.words }),
    ...(reasonCode && { reasonCode }),
    ...(known !== undefined && { reasonFamily: known.family }),
  };
}
