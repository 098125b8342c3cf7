import type { Clock } from '../../domain/clock.ts';
import type { SignedTokens } from '../customers/signed-token.ts';

export interface StopStore {
  /**
   * Nothing is sent any more to the address of this message; false where there is no such message. A
   * repetition changes nothing.
   */
  stop(input: {
    readonly merchantId: string;
    readonly messageId: string;
    readonly reason: 'stopped' | 'bounced' | 'complained';
    /** Why, of one that came back. */
    readonly detail?: string;
    readonly at: Date;
  }): Promise<boolean>;
}

export interface StopDeps {
  readonly store: StopStore;
  readonly tokens: Pick<SignedTokens, 'read'>;
  readonly clock: Clock;
}

/** The customer's own word, by the link of a message. False for a link that was not signed here. */
export async function stopByLink(deps: StopDeps, token: string): Promise<boolean> {
  const read = deps.tokens.read(token);
  const [messageId] = read?.parts ?? [];
  if (read === undefined || messageId === undefined) return false;
  const { merchantId } = read;
  const at = deps.clock.now();
  return await deps.store.stop({ merchantId, messageId, reason: 'stopped', at });
}

export interface NotedBounce {
  readonly merchantId: string;
  /** The message's id, or the address that it came back to. */
  readonly of: string;
  readonly kind: 'bounced' | 'complained';
  readonly detail?: string;
}

/** Messages' ids as they stand in the address that bounces come back to, which may be in capitals. */
const idIn = /cmg_[0-9a-z]{24}/i;

/**
 * What a mail server says of a message later: that it came back for good, or that the customer complained.
 * False where there is no such message.
 */
export async function noteBounce(
  deps: Pick<StopDeps, 'store' | 'clock'>,
  input: NotedBounce,
): Promise<boolean> {
  const messageId = idIn.exec(input.of)?.[0]?.toLowerCase();
  if (messageId === undefined) return false;
  const { merchantId, kind: reason, detail = reason } = input;
  return await deps.store.stop({ merchantId, messageId, reason, detail, at: deps.clock.now() });
}

/** The customer's own word, as the page of the link takes it. */
export type StopMessages = (token: string) => Promise<boolean>;
