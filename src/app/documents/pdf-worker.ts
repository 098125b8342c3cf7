import { parentPort } from 'node:worker_threads';
import { loadFonts } from '../../documents/fonts.ts';
import { type PdfContent, renderPdf } from '../../documents/render-pdf.ts';
import { yieldThread } from '../process/yield-thread.ts';
import type { PdfAnswer } from './start-pdf-thread.ts';

/** The thread that draws documents: a quarter of a second of arithmetic, which no request is to wait for. */
const fonts = loadFonts();
yieldThread();

parentPort?.on('message', async (content: PdfContent) => {
  parentPort?.postMessage(await answerTo(content));
});

async function answerTo(content: PdfContent): Promise<PdfAnswer> {
  try {
    return { kind: 'drawn', bytes: await renderPdf({ fonts: await fonts }, content) };
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : 'unknown' };
  }
}
