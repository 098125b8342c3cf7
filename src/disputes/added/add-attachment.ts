import { createHash, type Hash } from 'node:crypto';
import { newId } from '../../domain/ids.ts';
import type { Random } from '../../domain/random.ts';
import type { DisputeKey } from './added-ports.ts';
import {
  type Attachment,
  type AttachmentKind,
  type AttachmentType,
  attachmentBytes,
  attachmentName,
  attachmentPartBytes,
  attachmentTypes,
} from './attachment.ts';
import type { AttachmentKey, AttachmentStore } from './attachment-ports.ts';
import { isSent } from './is-sent.ts';
import { isWhole, sniffedBytes, sniffFile, tailBytes } from './sniff-file.ts';
import type { AddDeps } from './write-rebuttal.ts';

export interface AttachDeps extends Pick<AddDeps, 'disputes' | 'submissions' | 'clock'> {
  readonly attachments: AttachmentStore;
  readonly random: Random;
}

export interface AddAttachment extends DisputeKey {
  readonly kind: AttachmentKind;
  /** As its sender calls it. */
  readonly name?: string;
  /** What its sender says that it is, such as `image/png`; absent or of another kind: nothing. */
  readonly saidType?: string;
  readonly body: AsyncIterable<Uint8Array>;
  readonly actor: string;
}

export type AttachOutcome =
  | { readonly kind: 'added' | 'known'; readonly attachment: Attachment }
  | { readonly kind: 'not_found' | 'sent' | 'full' | 'erased' | 'too_large' | 'empty' }
  /** In a sentence. */
  | { readonly kind: 'unreadable'; readonly why: string };

/**
 * Keeps a file beside a dispute. It is read part by part, each of which is sealed and written before the next is
 * read, so that no file is in memory whole; one that turns out to be too long, or nothing that is taken, leaves
 * nothing. The same bytes again are the same attachment.
 */
export async function addAttachment(
  deps: AttachDeps,
  input: AddAttachment,
): Promise<AttachOutcome> {
  const { merchantId, disputeId } = input;
  const dispute = await deps.disputes.show({ merchantId, disputeId });
  if (dispute === undefined) return { kind: 'not_found' };
  if (await isSent(deps, dispute)) return { kind: 'sent' };
  const attachmentId = newId(deps.random, 'fil');
  const arrival = new Arrival(deps, input, { merchantId, disputeId, attachmentId });
  try {
    return await arrival.take(input.body);
  } finally {
    if (!arrival.isOver) await arrival.abandon();
  }
}

/** One file on its way. */
class Arrival {
  readonly #deps: AttachDeps;
  readonly #input: AddAttachment;
  readonly #key: AttachmentKey;
  readonly #hash: Hash = createHash('sha256');
  #type: AttachmentType | undefined;
  #bytes = 0;
  #parts = 0;
  #tail = Buffer.alloc(0);
  /** Whether the store has seen its end. */
  isOver = false;

  constructor(deps: AttachDeps, input: AddAttachment, key: AttachmentKey) {
    this.#deps = deps;
    this.#input = input;
    this.#key = key;
  }

  async take(body: AsyncIterable<Uint8Array>): Promise<AttachOutcome> {
    for await (const part of inParts(body)) {
      if (this.#bytes + part.length > attachmentBytes) return { kind: 'too_large' };
      if (this.#parts === 0) {
        const refusal = await this.#begin(part);
        if (refusal !== undefined) return refusal;
      }
      if (!(await this.#keep(part))) return { kind: 'erased' };
    }
    return this.#finish();
  }

  async abandon(): Promise<void> {
    if (this.#type !== undefined) await this.#deps.attachments.abandon(this.#key);
  }

  async #begin(first: Uint8Array): Promise<AttachOutcome | undefined> {
    const mediaType = sniffFile(first.subarray(0, sniffedBytes));
    const { kind, name, saidType, actor } = this.#input;
    if (mediaType === undefined) {
      return { kind: 'unreadable', why: 'The bytes are not those of a PDF, a PNG or a JPEG.' };
    }
    const isNamed = attachmentTypes.some((type) => type === saidType);
    if (isNamed && saidType !== mediaType) {
      const why = `Its declared type is ${saidType}, but its bytes are those of ${mediaType}.`;
      return { kind: 'unreadable', why };
    }
    await this.#deps.attachments.begin({
      ...this.#key,
      kind,
      mediaType,
      name: attachmentName(name, { kind, mediaType }),
      actor,
      at: this.#deps.clock.now(),
    });
    this.#type = mediaType;
    return undefined;
  }

  async #keep(part: Uint8Array): Promise<boolean> {
    this.#hash.update(part);
    this.#bytes += part.length;
    this.#tail = Buffer.concat([this.#tail, part]).subarray(-tailBytes);
    const number = this.#parts;
    this.#parts += 1;
    return this.#deps.attachments.append(this.#key, { number, bytes: part });
  }

  async #finish(): Promise<AttachOutcome> {
    if (this.#type === undefined) return { kind: 'empty' };
    if (!isWhole(this.#type, this.#tail)) {
      return { kind: 'unreadable', why: 'The file is incomplete: it was cut off.' };
    }
    // An upload takes a while: evidence that was sent meanwhile went without it.
    const dispute = await this.#deps.disputes.show(this.#key);
    if (dispute === undefined) return { kind: 'not_found' };
    if (await isSent(this.#deps, dispute)) return { kind: 'sent' };
    const { actor } = this.#input;
    const end = { bytes: this.#bytes, sha256: this.#hash.digest(), actor };
    const at = this.#deps.clock.now();
    const outcome = await this.#deps.attachments.finish({ ...this.#key, ...end, at });
    this.isOver = outcome.kind !== 'full';
    if (outcome.kind === 'full' || outcome.kind === 'erased') return outcome;
    const { attachment } = outcome;
    return { kind: outcome.kind === 'kept' ? 'added' : 'known', attachment };
  }
}

/** The same bytes in parts of one size, the last of which is what remains. */
async function* inParts(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  for await (const chunk of body) {
    for (let from = 0; from < chunk.length; ) {
      const piece = chunk.subarray(from, from + attachmentPartBytes - waitingBytes);
      waiting.push(piece);
      waitingBytes += piece.length;
      from += piece.length;
      if (waitingBytes === attachmentPartBytes) {
        yield Buffer.concat(waiting);
        waiting = [];
        waitingBytes = 0;
      }
    }
  }
  if (waitingBytes > 0) yield Buffer.concat(waiting);
}
