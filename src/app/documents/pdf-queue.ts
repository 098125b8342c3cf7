import type { Packet } from '../../disputes/evidence/packet.ts';
import { AppError } from '../../domain/errors.ts';

type Draw = (packet: Packet) => Promise<Uint8Array>;

export interface PdfQueue {
  /** @throws AppError service_busy where too many wait */
  readonly draw: Draw;
  /** The same for work that has begun and is not to be refused. */
  readonly drawInAnyCase: Draw;
}

/** Documents that wait to be drawn: some seconds' worth. */
const maxWaiting = 16;
/** Documents that are kept: some 50 KB each. */
const maxKept = 64;

/**
 * Draws documents one after the other in a thread, which is started with the first one, and again after one that
 * ended it. What was drawn is kept by its content's hash; who asks for what is being drawn waits for that.
 */
export function createPdfQueue(start: () => Draw): PdfQueue {
  const kept = new Map<string, Uint8Array>();
  const drawing = new Map<string, Promise<Uint8Array>>();
  let thread: Draw | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function drawNext(packet: Packet): Promise<Uint8Array> {
    thread ??= start();
    try {
      const bytes = await thread(packet);
      if (kept.size >= maxKept) kept.delete(kept.keys().next().value ?? '');
      kept.set(packet.contentHash, bytes);
      return bytes;
    } catch (error) {
      thread = undefined;
      throw error;
    } finally {
      drawing.delete(packet.contentHash);
    }
  }

  const drawInAnyCase: Draw = async (packet) => {
    const known = kept.get(packet.contentHash) ?? drawing.get(packet.contentHash);
    if (known !== undefined) return known;
    const drawn = last.then(() => drawNext(packet));
    last = drawn.catch(() => undefined);
    drawing.set(packet.contentHash, drawn);
    return drawn;
  };

  return {
    drawInAnyCase,
    async draw(packet) {
      const { contentHash } = packet;
      const isKnown = kept.has(contentHash) || drawing.has(contentHash);
      if (!isKnown && drawing.size >= maxWaiting) throw new AppError('service_busy');
      return drawInAnyCase(packet);
    },
  };
}
