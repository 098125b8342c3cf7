import { parentPort } from 'node:worker_threads';
import type { Packet } from '../../disputes/evidence/packet.ts';
import { loadFonts } from '../../documents/fonts.ts';
import { renderPdf } from '../../documents/render-pdf.ts';
import { yieldThread } from '../process/yield-thread.ts';
import type { PdfAnswer } from './start-pdf-thread.ts';

/** The thread that draws documents: a quarter of a second of arithmetic, which no request is to wait for. */
const fonts = loadFonts();
yieldThread();

parentPort?.on('message', async (packet: Packet) => {
  parentPort?.postMessage(await answerTo(packet));
});

async function answerTo(packet: Packet): Promise<PdfAnswer> {
  try {
    const { bytes } = await renderPdf({ fonts: await fonts }, packet);
    return { kind: 'drawn', bytes };
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : 'unknown' };
  }
}
