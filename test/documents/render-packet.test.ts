import { beforeAll, describe, expect, test, vi } from 'vitest';
import { buildPacket } from '../../src/disputes/evidence/build-packet.ts';
import type { PacketFacts } from '../../src/disputes/evidence/packet-facts.ts';
import { type Fonts, loadFonts } from '../../src/documents/fonts.ts';
import { printable } from '../../src/documents/printable.ts';
import { pageLimit, renderPacket } from '../../src/documents/render-packet.ts';
import { normaliseReason } from '../../src/domain/disputes/normalise/normalise-reason.ts';
import { daysBeforeCharge, disputedCharge } from '../kits/dispute-cases.ts';
import { packetFacts } from '../kits/packet-cases.ts';
import { pdfText } from '../kits/pdf-text.ts';

/** American Express OptBlue takes 1 MB in all; text on 20 pages is far from it. */
const byteLimit = 1_000_000;
const unknownReason = { network: 'visa', code: 'unknown', family: 'unknown' } as const;
let fonts: Fonts;
beforeAll(async () => {
  fonts = await loadFonts();
});

function pdfOf(changes: Partial<PacketFacts> = {}) {
  return renderPacket({ fonts }, buildPacket(packetFacts(changes)));
}

describe('the document', () => {
  test('the same facts give the same bytes, whatever the day', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-06-06T00:00:00Z') });
    const one = await pdfOf();
    vi.setSystemTime(new Date('2027-12-31T23:59:59Z'));
    const other = await pdfOf();
    vi.useRealTimers();
    expect(Buffer.from(one.bytes).equals(Buffer.from(other.bytes))).toBe(true);
    expect(Buffer.from(one.bytes).toString('latin1')).toContain('(D:20260605090000Z)');
  });

  test('it shows the amounts, the reason, the deadline and the verdict', async () => {
    const { bytes, pages } = await pdfOf();
    const text = pdfText(bytes);
    for (const shown of [
      'Dispute evidence',
      'Visa 10.4 (fraud)',
      '49.00 EUR',
      '2026-06-20 23:59 UTC (stripe: evidence_details.due_by)',
      'The criteria are met, by 2 undisputed earlier charges.',
      '81.2.69.142',
      'The merchant agreed at 2026-06-01 11:59 UTC.',
      `Page 1 of ${pages}`,
      `Page ${pages} of ${pages}`,
      buildPacket(packetFacts()).contentHash,
    ]) {
      expect(text.replaceAll('\n', ' ')).toContain(shown);
    }
  });

  test('names in Greek and Cyrillic stand in their own letters', async () => {
    expect(pdfText((await pdfOf()).bytes)).toContain('Žofie Παπαδοπούλου-Щербакова');
  });

  test('a verdict that fails says so', async () => {
    const text = pdfText((await pdfOf({ candidates: [] })).bytes);
    expect(text).toContain('The criteria are not met.');
    expect(text).toContain('No earlier charge can serve as a prior.');
  });

  test('a test for other reasons is said not to apply, without its rules', async () => {
    const textOf = async (code: string) => {
      const reason = normaliseReason('visa', code) ?? unknownReason;
      return pdfText((await pdfOf({ disputed: disputedCharge({ reason }) })).bytes);
    };
    const other = (await textOf('13.1')).replaceAll('\n', ' ');
    expect(other).toContain('It does not apply to disputes of this reason.');
    expect(other).not.toContain('The criteria are not met.');
    expect(other).not.toContain('Criterion');
    expect(await textOf('none')).toContain('It is not known whether it applies');
  });

  test('what is not in the packet is not in the document', async () => {
    expect(pdfText((await pdfOf()).bytes)).not.toContain('fp_1');
  });
});

describe('limits', () => {
  test('a long timeline keeps its ends, and says what is left out', async () => {
    const timeline = Array.from({ length: 1_000 }, (_, index) => ({
      at: new Date(daysBeforeCharge(300).getTime() + index * 3_600_000),
      kind: 'renewal' as const,
      words: `Event number ${index}`,
    }));
    const { bytes, pages, eventsLeftOut } = await pdfOf({ timeline });
    expect(pages).toBeLessThanOrEqual(pageLimit);
    expect(bytes.length).toBeLessThanOrEqual(byteLimit);
    expect(eventsLeftOut).toBeGreaterThan(0);
    const text = pdfText(bytes);
    expect(text).toContain(`${eventsLeftOut} of 1000 events`);
    expect(text).toContain('Event number 0\n');
    expect(text).toContain('Event number 999\n');
  });

  test('a request for information at Adyen is answered on four pages', async () => {
    const timeline = Array.from({ length: 1_000 }, (_, index) => ({
      at: new Date(daysBeforeCharge(300).getTime() + index * 3_600_000),
      kind: 'renewal' as const,
      words: `Event number ${index}`,
    }));
    const packet = buildPacket(packetFacts({ timeline }));
    const { content } = packet;
    const pagesOf = async (changes: Partial<typeof content.dispute>) => {
      const dispute = { ...content.dispute, ...changes };
      return (await renderPacket({ fonts }, { ...packet, content: { ...content, dispute } })).pages;
    };
    expect(await pagesOf({ psp: 'adyen', stage: 'inquiry' })).toBeLessThanOrEqual(4);
    expect(await pagesOf({ psp: 'adyen', stage: 'chargeback' })).toBeGreaterThan(4);
    expect(await pagesOf({ psp: 'stripe', stage: 'inquiry' })).toBeGreaterThan(4);
  });

  test('the longest rebuttal is there to its last line, and the pages stay within the limit', async () => {
    const lines = Array.from({ length: 400 }, (_, at) => `Line ${at}.`.padEnd(49, 'x'));
    const { bytes, pages } = await pdfOf({ rebuttal: lines.join('\n').slice(0, 20_000) });
    expect(pages).toBeLessThanOrEqual(pageLimit);
    const text = pdfText(bytes);
    expect(text).toContain('Statement of Acme Software Ltd');
    for (const at of [0, 199, 399]) expect(text).toContain(`Line ${at}.x`);
  });

  test('words without blanks are wrapped inside their column', async () => {
    const disputed = disputedCharge({ productDescription: 'x'.repeat(20_000) });
    const { bytes, pages } = await pdfOf({ disputed });
    expect(pages).toBeLessThanOrEqual(pageLimit);
    const longest = Math.max(
      ...pdfText(bytes)
        .split('\n')
        .map((line) => line.length),
    );
    expect(longest).toBeLessThan(140);
  });
});

test('a letter that the fonts lack is its number, and steering marks are blanks', () => {
  expect(printable(fonts, '王 Ünal')).toBe('[U+738B] Ünal');
  expect(printable(fonts, 'a\u202Eb\u0000c\td')).toBe('a b c d');
  expect(printable(fonts, 'one\ntwo')).toBe('one\ntwo');
});
