import type { Packet, PacketContent } from '../disputes/evidence/packet.ts';
import { appliesTo } from '../domain/disputes/ce3/applies-to.ts';
import type { Fonts } from './fonts.ts';
import { comparisonRows, coverRows, ruleRows, timelineRows } from './packet-tables.ts';
import { missingLettersNote } from './printable.ts';
import { type Column, openSheet, type Sheet } from './sheet.ts';

/**
 * Mastercard takes 19 pages, American Express 20. Sources: Adyen, defense requirements; Checkout.com, dispute evidence
 * file requirements.
 */
export const pageLimit = 19;
/** What Adyen takes in answer to a request for information. Source: Adyen, defense requirements. */
const adyenInquiryPages = 4;
/** No more rows fit on the pages, even if each has one line. */
const eventLimit = 38 * pageLimit;
/** The most of a product description in the appendix. */
const descriptionCharacters = 5_000;

export interface PacketPdf {
  readonly bytes: Uint8Array;
  readonly pages: number;
  /** Events of the timeline that had no room; the packet's content holds them. */
  readonly eventsLeftOut: number;
}

/**
 * A packet as A4 pages for people: cover, verdict, the charges side by side, timeline, appendix. The
 * same packet gives the same bytes: dates and ids come from the packet. A timeline that is too long
 * for its pages loses events from its middle until it fits, and the document says how many.
 */
export async function renderPacket(deps: { fonts: Fonts }, packet: Packet): Promise<PacketPdf> {
  const events = packet.content.timeline.length;
  const limit = pagesOf(packet.content);
  for (let kept = Math.min(events, eventLimit); ; ) {
    const sheet = write(deps.fonts, packet, kept);
    const pages = sheet.pageCount();
    if (pages <= limit || kept === 0) {
      const bytes = await sheet.finish(footOf(packet));
      return { bytes, pages, eventsLeftOut: events - kept };
    }
    // Nearly the share that fits: an overlong timeline is laid out twice or thrice, not often.
    kept = Math.max(0, Math.floor((kept * (limit - 0.5)) / pages) - 1);
  }
}

function pagesOf({ dispute: { psp, stage } }: PacketContent): number {
  return psp === 'adyen' && stage === 'inquiry' ? adyenInquiryPages : pageLimit;
}

function write(fonts: Fonts, packet: Packet, keptEvents: number): Sheet {
  const { content } = packet;
  const sheet = openSheet(fonts, {
    title: `Evidence for dispute ${content.dispute.id}`,
    author: content.merchantName,
    subject: `Packet ${packet.contentHash}`,
    createdAt: new Date(content.dispute.disputedAt),
  });
  sheet.title('Dispute evidence', `${content.merchantName}, dispute ${content.dispute.id}`);
  sheet.table(
    [
      { head: '', share: 0.26, isBold: true },
      { head: '', share: 0.74 },
    ],
    coverRows(content),
  );
  writeRebuttal(sheet, content);
  writeVerdict(sheet, content);
  writeComparison(sheet, content);
  writeTimeline(sheet, content, keptEvents);
  writeAttachments(sheet, content);
  writeAppendix(sheet, packet);
  return sheet;
}

/** A paragraph for each line, so that a page can end between any two of them. */
function writeRebuttal(sheet: Sheet, { rebuttal, merchantName }: PacketContent): void {
  if (rebuttal === undefined) return;
  sheet.heading(`Statement of ${merchantName}`);
  for (const line of rebuttal.split('\n')) if (line.trim() !== '') sheet.paragraph(line);
}

function writeVerdict(sheet: Sheet, content: PacketContent): void {
  const { ruleSet, eligible } = content.verdict;
  const applies = appliesTo(content.dispute.reason);
  sheet.heading(`${ruleSet.words}, rule set ${ruleSet.version}`);
  if (applies !== 'yes') {
    const why =
      applies === 'no'
        ? 'It does not apply to disputes of this reason.'
        : 'It is not known whether it applies, since the reason code is not known.';
    sheet.box(`${why} The facts below stand for themselves.`);
    return;
  }
  sheet.box(
    eligible
      ? `The criteria are met, by ${content.priors.length} undisputed earlier charges.`
      : 'The criteria are not met. The facts below stand for themselves.',
  );
  if (ruleSet.unconfirmed) {
    sheet.paragraph('The figures of this rule set are not confirmed by the network.');
  }
  sheet.table(
    [
      { head: 'Criterion', share: 0.46 },
      { head: 'Result', share: 0.12, isBold: true },
      { head: 'Found', share: 0.42 },
    ],
    ruleRows(content),
  );
}

function writeComparison(sheet: Sheet, content: PacketContent): void {
  const { priors } = content;
  sheet.heading('The charges side by side');
  if (priors.length === 0) sheet.paragraph('No earlier charge can serve as a prior.');
  const names = ['Disputed charge', ...priors.map((_, index) => `Prior ${index + 1}`)];
  const share = 0.74 / names.length;
  const columns: readonly Column[] = [
    { head: '', share: 0.14, isBold: true },
    ...names.map((head) => ({ head, share })),
    { head: 'Equal', share: 0.12, isBold: true },
  ];
  sheet.table(columns, comparisonRows(content));
}

function writeTimeline(sheet: Sheet, content: PacketContent, kept: number): void {
  const { timeline } = content;
  sheet.heading('Timeline');
  if (timeline.length === 0) sheet.paragraph('No events are known.');
  const leftOut = timeline.length - kept;
  // The beginning shows the consent, the end what led to the dispute.
  const first = Math.ceil(kept / 4);
  const shown =
    leftOut === 0 ? timeline : [...timeline.slice(0, first), ...newest(timeline, kept - first)];
  if (leftOut > 0) {
    sheet.paragraph(
      `${leftOut} of ${timeline.length} events, after the first ${first}, are left out for the limit of ${pagesOf(content)} pages.`,
    );
  }
  if (shown.length === 0) return;
  sheet.table(
    [
      { head: 'When', share: 0.22 },
      { head: 'What', share: 0.17, isBold: true },
      { head: 'Details', share: 0.61 },
    ],
    timelineRows(shown),
  );
}

function writeAttachments(sheet: Sheet, { attachments = [] }: PacketContent): void {
  if (attachments.length === 0) return;
  sheet.heading('Attached files');
  sheet.table(
    [
      { head: 'File', share: 0.34, isBold: true },
      { head: 'Kind', share: 0.22 },
      { head: 'Bytes', share: 0.12, align: 'right' },
      { head: 'SHA-256', share: 0.32 },
    ],
    attachments.map(({ name, kind, bytes, sha256 }) => [
      name,
      kind.replaceAll('_', ' '),
      bytes.toString(),
      sha256,
    ]),
  );
}

function newest<Item>(items: readonly Item[], count: number): readonly Item[] {
  return count === 0 ? [] : items.slice(-count);
}

function writeAppendix(sheet: Sheet, { content, contentHash }: Packet): void {
  sheet.heading('Appendix');
  for (const { id, productDescription } of [content.charge, ...content.priors]) {
    const text = productDescription ?? 'not described';
    const cut = text.length > descriptionCharacters ? ' […]' : '';
    sheet.paragraph(`What was sold with ${id}: ${text.slice(0, descriptionCharacters)}${cut}`);
  }
  sheet.paragraph(
    `All times are UTC. Days between charges are counted by the UTC calendar. ${missingLettersNote}`,
  );
  sheet.paragraph(
    `This document shows the packet with the content hash ${contentHash} (SHA-256 over its canonical ` +
      'JSON). The same facts always give the same hash and the same document.',
  );
}

function footOf({ content, contentHash }: Packet): string {
  return `Dispute ${content.dispute.id}, packet ${contentHash.slice(0, 16)}`;
}
