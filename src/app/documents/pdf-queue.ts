import type { PdfContent } from '../../documents/render-pdf.ts';
import { AppError } from '../../domain/errors.ts';

type Draw = (content: PdfContent) => Promise<Uint8Array>;

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

  async function drawNext(content: PdfContent): Promise<Uint8Array> {
    thread ??= start();
    try {
      const bytes = await thread(content);
      if (kept.size >= maxKept) kept.delete(kept.keys().next().value ?? '');
      kept.set(content.contentHash, bytes);
      return bytes;
    } catch (error) {
      thread = undefined;
      throw error;
    } finally {
      drawing.delete(content.contentHash);
    }
  }

  const drawInAnyCase: Draw = async (content) => {
    const known = kept.get(content.contentHash) ?? drawing.get(content.contentHash);
    if (known !== undefined) return known;
    const drawn = last.then(() => drawNext(content));
    last = drawn.catch(() => undefined);
    drawing.set(content.contentHash, drawn);
    return drawn;
  };

  return {
    drawInAnyCase,
    async draw(content) {
      const { contentHash } = content;
      const isKnown = kept.has(contentHash) || drawing.has(contentHash);
      if (!isKnown && drawing.size >= maxWaiting) throw new AppError('service_busy');
      return drawInAnyCase(content);
    },
  };
}
