import type { Packet } from '../disputes/evidence/packet.ts';
import type { StatementDocument } from '../recovery/accounting/statement-document.ts';
import type { Fonts } from './fonts.ts';
import { renderPacket } from './render-packet.ts';
import { renderStatement } from './render-statement.ts';

/** What there are documents of; the same `contentHash` is the same content, and gives the same bytes. */
export type PdfContent = Packet | StatementDocument;

/** A document of any kind as the bytes of its PDF. */
export async function renderPdf(
  deps: { readonly fonts: Fonts },
  content: PdfContent,
): Promise<Uint8Array> {
  if ('statement' in content) return renderStatement(deps, content);
  const { bytes } = await renderPacket(deps, content);
  return bytes;
}
