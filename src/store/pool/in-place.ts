import { AppError } from '../../domain/errors.ts';
import { isGivenUp, type LiveBehalf, presentBehalf } from './behalf.ts';
import type { Entry, Shares } from './shares.ts';

/**
 * Runs what needs one connection, in a place of the request's sender.
 *
 * @throws AppError caller_gone where nobody wants it any more and it was not begun; share_busy where the
 * sender's other requests, and database_busy where everybody's, held all places for too long.
 */
export async function inPlace<Result>(
  shares: Shares,
  work: () => Promise<Result>,
): Promise<Result> {
  const behalf = presentBehalf();
  if (behalf !== undefined && isGivenUp(behalf)) throw new AppError('caller_gone');
  const sender = behalf?.of.sender;
  if (!shares.take(sender)) {
    const entry = await shares.enter(sender, signalOf(behalf));
    if (entry !== 'entered') throw new AppError(codes[entry]);
  }
  if (behalf !== undefined) behalf.hasBegun = true;
  try {
    return await work();
  } finally {
    shares.leave(sender);
  }
}

const codes = {
  given_up: 'caller_gone',
  own_share: 'share_busy',
  all: 'database_busy',
} as const satisfies Readonly<Record<Exclude<Entry, 'entered'>, string>>;

/** What ends the wait; nothing ends that of a write which has begun. */
function signalOf(behalf: LiveBehalf | undefined): AbortSignal | undefined {
  if (behalf === undefined || (behalf.hasBegun && !behalf.of.isRead)) return undefined;
  return behalf.of.signal;
}
