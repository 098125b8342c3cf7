import PDFDocument from 'pdfkit';
import type { Fonts } from './fonts.ts';
import { printable } from './printable.ts';

const margin = 48;
const pageWidth = 595.28;
const pageHeight = 841.89;
const footerHeight = 24;
const contentWidth = pageWidth - 2 * margin;
const bottom = pageHeight - margin - footerHeight;
const cellPadding = 4;

/** A4 pages that are written from top to bottom in black on white. */
export interface Sheet {
  readonly heading: (text: string) => void;
  readonly title: (text: string, subtitle: string) => void;
  readonly paragraph: (text: string) => void;
  /** Framed and bold, for the one sentence that has to be seen. */
  readonly box: (text: string) => void;
  readonly table: (columns: readonly Column[], rows: readonly (readonly string[])[]) => void;
  readonly pageCount: () => number;
  /** Writes the foot of each page and ends the document. */
  readonly finish: (foot: string) => Promise<Uint8Array>;
}

export interface Column {
  /** Empty heads make a table without a head. */
  readonly head: string;
  /** Its part of the width; all parts together are 1. */
  readonly share: number;
  readonly isBold?: boolean;
  /** Counts and amounts stand right-aligned. */
  readonly align?: 'right';
}

/** The document's own data: fixed by the caller, so that the same content gives the same bytes. */
export interface SheetInfo {
  readonly title: string;
  readonly author: string;
  readonly subject: string;
  readonly createdAt: Date;
}

type Pdf = InstanceType<typeof PDFDocument>;

/** An empty document, to be written and then finished. */
export function openSheet(fonts: Fonts, info: SheetInfo): Sheet {
  const pdf = openPdf(fonts, info);
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve);
    pdf.on('error', reject);
  });
  const say = (text: string): string => printable(fonts, text);
  const pages = () => pdf.bufferedPageRange().count;
  return {
    title: (text, subtitle) => {
      pdf.font('bold').fontSize(20).text(say(text), margin, pdf.y, { width: contentWidth });
      pdf.font('regular').fontSize(11).text(say(subtitle), { width: contentWidth });
      pdf.moveDown(0.8);
    },
    heading: (text) => {
      // A heading never stands alone at the foot of a page.
      keepRoom(pdf, 90);
      pdf.moveDown(0.6);
      pdf.font('bold').fontSize(13).text(say(text), margin, pdf.y, { width: contentWidth });
      pdf.moveDown(0.4);
    },
    paragraph: (text) => {
      pdf.font('regular').fontSize(9.5);
      const height = pdf.heightOfString(say(text), { width: contentWidth });
      // Long ones flow over to the next page; short ones stay whole.
      keepRoom(pdf, Math.min(height, 60));
      pdf.text(say(text), margin, pdf.y, { width: contentWidth, lineGap: 1.5 });
      pdf.moveDown(0.6);
    },
    box: (text) => writeBox(pdf, say(text)),
    table: (columns, rows) =>
      writeTable(
        pdf,
        columns.map((column) => ({ ...column, head: say(column.head) })),
        rows.map((row) => row.map(say)),
      ),
    pageCount: pages,
    finish: async (foot) => {
      for (let page = 0; page < pages(); page += 1) {
        pdf.switchToPage(page);
        // The foot stands below the text's margin, and must not open a page of its own.
        pdf.page.margins.bottom = 0;
        writeFoot(pdf, say(foot), `Page ${page + 1} of ${pages()}`);
      }
      pdf.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };
}

function openPdf(fonts: Fonts, info: SheetInfo): Pdf {
  const { title, author, subject, createdAt } = info;
  const pdf = new PDFDocument({
    size: 'A4',
    // What flows over to the next page leaves room for the foot.
    margins: { top: margin, left: margin, right: margin, bottom: margin + footerHeight },
    bufferPages: true,
    lang: 'en',
    pdfVersion: '1.7',
    displayTitle: true,
    font: '',
    info: {
      Title: title,
      Author: author,
      Subject: subject,
      Creator: 'Recoup',
      Producer: 'Recoup',
      CreationDate: createdAt,
      ModDate: createdAt,
    },
  });
  pdf.registerFont('regular', fonts.regular);
  pdf.registerFont('bold', fonts.bold);
  return pdf;
}

function keepRoom(pdf: Pdf, height: number): void {
  if (pdf.y + height > bottom) pdf.addPage();
}

function writeBox(pdf: Pdf, text: string): void {
  pdf.font('bold').fontSize(11);
  const inner = contentWidth - 20;
  const height = pdf.heightOfString(text, { width: inner }) + 16;
  keepRoom(pdf, height);
  const top = pdf.y;
  pdf.lineWidth(1.2).rect(margin, top, contentWidth, height).stroke('#000000');
  pdf.fillColor('#000000').text(text, margin + 10, top + 8, { width: inner });
  pdf.y = top + height + 8;
}

function writeTable(
  pdf: Pdf,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): void {
  const hasHead = columns.some(({ head }) => head !== '');
  const head = columns.map((column) => column.head);
  const headHeight = hasHead ? rowHeight(pdf, columns, head, true) : 0;
  const writeHead = (): void => {
    if (hasHead) writeRow(pdf, columns, head, { height: headHeight, isHead: true });
  };
  const first = rows[0];
  keepRoom(pdf, headHeight + (first ? rowHeight(pdf, columns, first, false) : 0));
  writeHead();
  for (const row of rows) {
    const height = rowHeight(pdf, columns, row, false);
    if (pdf.y + height > bottom) {
      pdf.addPage();
      writeHead();
    }
    writeRow(pdf, columns, row, { height, isHead: false });
  }
  pdf.moveDown(0.6);
}

function rowHeight(
  pdf: Pdf,
  columns: readonly Column[],
  cells: readonly string[],
  isHead: boolean,
): number {
  const heights = columns.map((column, index) => {
    pdf.font(isHead || column.isBold ? 'bold' : 'regular').fontSize(8.5);
    return pdf.heightOfString(cells[index] ?? '', { width: innerWidth(column) });
  });
  return Math.max(...heights) + 2 * cellPadding;
}

function writeRow(
  pdf: Pdf,
  columns: readonly Column[],
  cells: readonly string[],
  shape: { readonly height: number; readonly isHead: boolean },
): void {
  const top = pdf.y;
  const { height, isHead } = shape;
  if (isHead) pdf.rect(margin, top, contentWidth, height).fill('#e4e4e4');
  let left = margin;
  for (const [index, column] of columns.entries()) {
    pdf
      .font(isHead || column.isBold ? 'bold' : 'regular')
      .fontSize(8.5)
      .fillColor('#000000');
    const options = { width: innerWidth(column), align: column.align ?? ('left' as const) };
    pdf.text(cells[index] ?? '', left + cellPadding, top + cellPadding, options);
    left += column.share * contentWidth;
  }
  pdf.lineWidth(0.5).moveTo(margin, top + height);
  pdf.lineTo(margin + contentWidth, top + height).stroke('#8a8a8a');
  pdf.x = margin;
  pdf.y = top + height;
}

function innerWidth(column: Column): number {
  return column.share * contentWidth - 2 * cellPadding;
}

function writeFoot(pdf: Pdf, foot: string, number: string): void {
  pdf.font('regular').fontSize(8).fillColor('#000000');
  const top = pageHeight - margin - 12;
  pdf.text(foot, margin, top, { width: contentWidth - 80, height: 12, ellipsis: true });
  pdf.text(number, margin + contentWidth - 80, top, { width: 80, align: 'right', height: 12 });
}
