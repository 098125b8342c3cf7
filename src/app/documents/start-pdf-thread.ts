import { Worker } from 'node:worker_threads';
import type { PdfContent } from '../../documents/render-pdf.ts';
import { askThread } from '../learned/ask-thread.ts';

export type PdfAnswer =
  | { readonly kind: 'drawn'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly reason: string };

/** Of the drawing thread alone: fonts, and one document; the longest there are need 70 MB. */
const maxHeapMb = 512;

/** A thread that draws one document at a time; it keeps no process alive. */
export function startPdfThread(): (content: PdfContent) => Promise<Uint8Array> {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  const ask = askThread<PdfContent, PdfAnswer>(worker);
  worker.unref();
  return async (content) => {
    worker.ref();
    const answer = await ask(content).finally(() => worker.unref());
    if (answer.kind === 'drawn') return answer.bytes;
    throw new Error(`a document could not be drawn: ${answer.reason}`);
  };
}
