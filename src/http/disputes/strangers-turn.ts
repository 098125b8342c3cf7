import { AppError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { Bounds } from '../bounds/bounds.ts';
import { senderIsGone, unlessGone } from '../bounds/work-in-lane.ts';
import type { Stage } from '../endpoint/exchange.ts';
import { isGone } from '../endpoint/is-gone.ts';
import { addressBlock } from '../server/address-block.ts';
import { tooManyRequests } from './answers.ts';
import type { DisputesCaller } from './caller.ts';

/**
 * The stage of webhooks, whose signature is in what has yet to be read: an address from which none of this
 * account was signed yet has its turn, before a byte of the body is read; one that sent
 * signed ones passes.
 */
export function strangersTurn({
  strangers,
  load,
  workFor,
}: Pick<Bounds, 'strangers' | 'load' | 'workFor'>): Stage<DisputesCaller> {
  return async ({ request, reply, signal }, next) => {
    const proof = `${request.address} ${request.url}`;
    const gone = () => isGone({ request, reply });
    const weight = weightOf(request.raw.headers['content-length']);
    const entry = await strangers.enter({ address: request.address, proof, isGone: gone, weight });
    if (entry === 'known' && load.givesUp('webhook')) throw new AppError('service_busy');
    if (entry === 'gone') return senderIsGone;
    if (entry === 'full') return strangers.refused(tooManyRequests);
    // Whose account it is has yet to be proved: until then it takes no share of theirs.
    const sender = entry === 'known' ? request.url : addressBlock(request.address);
    try {
      const answer = gone() ? senderIsGone : await workFor({ sender, isRead: false, signal }, next);
      if (answer.status === 200) strangers.proved(proof);
      else if (answer.status < 429) strangers.disproved(proof);
      return answer;
    } catch (error) {
      return unlessGone(error, signal);
    } finally {
      if (entry === 'entered') strangers.leave(request.address);
    }
  };
}

/** Bytes that count as one request: PSPs' webhooks have less, and reading a mebibyte costs as much as many of them. */
const bytesOfOne = 64 * 1024;

function weightOf(contentLength: string | undefined): number {
  // One that does not say its length may have all that is allowed.
  const bytes = contentLength === undefined ? limits.pspWebhookBytes : Number(contentLength);
  return Math.max(1, Math.ceil(Math.min(bytes, limits.pspWebhookBytes) / bytesOfOne));
}
