import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type AttachDeps, addAttachment } from '../../../src/disputes/added/add-attachment.ts';
import {
  attachmentBytes,
  attachmentName,
  attachmentPartBytes,
  attachmentPspName,
  attachmentTypes,
} from '../../../src/disputes/added/attachment.ts';
import { isWhole, sniffFile } from '../../../src/disputes/added/sniff-file.ts';
import { placeAttachments } from '../../../src/disputes/evidence/renderers/attachment-places.ts';
import type { Submission } from '../../../src/disputes/submission/submission-ports.ts';
import type { Psp } from '../../../src/domain/psps.ts';
import { seeded } from '../../kits/seeded.ts';
import { disputeDetail } from '../evidence/evidence-records.ts';
import { submissionOf } from '../submission/submission-world.ts';

const heads = {
  'application/pdf': Buffer.from('%PDF-1.7\n'),
  'image/png': Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
} as const;

describe('what a file is', () => {
  it('is known by its first bytes, whatever follows', () => {
    for (const type of attachmentTypes) {
      for (let length = 0; length < 50; length += 1) {
        expect(sniffFile(Buffer.concat([heads[type], randomBytes(length)]))).toBe(type);
      }
    }
  });

  it('is nothing where any one bit of its mark is another, or it is cut off in its mark', () => {
    const marks = { 'application/pdf': 5, 'image/png': 16, 'image/jpeg': 3 } as const;
    for (const type of attachmentTypes) {
      const mark = heads[type].subarray(0, marks[type]);
      for (let bit = 0; bit < mark.length * 8; bit += 1) {
        const wrong = Buffer.from(mark);
        wrong[bit >> 3] = (wrong[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(sniffFile(wrong)).toBeUndefined();
      }
      expect(sniffFile(mark.subarray(0, -1))).toBeUndefined();
    }
  });

  it('is none of these: programs, pages, archives, other pictures', () => {
    const others = [
      '<html>',
      '<svg xmlns=',
      'MZ\x90',
      '\x7fELF',
      'PK\x03\x04',
      'GIF89a',
      '',
      '\n%PDF-1.7',
    ];
    for (const text of others) expect(sniffFile(Buffer.from(text, 'latin1'))).toBeUndefined();
  });

  it('has an end, where its format has one', () => {
    expect(isWhole('application/pdf', Buffer.from('x %%EOF\r\n'))).toBe(true);
    expect(isWhole('application/pdf', Buffer.from(`%%EOF${' '.repeat(1020)}`))).toBe(false);
    expect(isWhole('image/png', Buffer.from('xIEND\xaeB`\x82', 'latin1'))).toBe(true);
    expect(isWhole('image/png', Buffer.from('IDAT'))).toBe(false);
  });
});

describe('the name of a file', () => {
  const png = { kind: 'receipt', mediaType: 'image/png' } as const;
  it('has no folder, nothing unprintable, and the ending of what it is', () => {
    expect(attachmentName('../../etc/Jüne 3.PDF', png)).toBe('Jüne 3.png');
    expect(attachmentName('C:\\x\\a"b<c>.jpeg', png)).toBe('a b c.png');
    expect(attachmentName('in\u202Evoice\r\nx\u0000.png', png)).toBe('invoicex.png');
    expect(attachmentName(' . ', png)).toBe('receipt.png');
    expect(attachmentName(undefined, png)).toBe('receipt.png');
    expect([...attachmentName('😀'.repeat(300), png)]).toHaveLength(104);
    expect(attachmentPspName(png, 3)).toBe('receipt_3.png');
  });
});

describe('a file on its way', () => {
  /** Notes what the store is asked, and how many bytes it holds at once. */
  function world() {
    const asked: string[] = [];
    const parts: Buffer[] = [];
    let sent: Submission | undefined;
    const store: AttachDeps['attachments'] = {
      list: async () => [],
      begin: async ({ mediaType, name }) => void asked.push(`begin ${mediaType} ${name}`),
      append: async (_key, { bytes }) => parts.push(Buffer.from(bytes)) > 0,
      finish: async ({ bytes, sha256 }) => {
        asked.push(`finish ${bytes} ${Buffer.from(sha256).toString('hex')}`);
        return { kind: 'kept', attachment: {} as never };
      },
      abandon: async () => void asked.push('abandon'),
      read: async () => undefined,
      remove: async () => 'not_found',
      noteReference: async () => undefined,
      removedReferences: async () => [],
    };
    const deps = {
      attachments: store,
      disputes: { show: async () => disputeDetail() },
      submissions: { find: async () => sent },
      clock: { now: () => new Date(0) },
      random: { bytes: (count: number) => randomBytes(count) } as never,
    };
    const add = (body: AsyncIterable<Uint8Array>, saidType?: string) =>
      addAttachment(deps, {
        merchantId: 'mer_1',
        disputeId: 'dis_1',
        kind: 'other',
        actor: 'ann',
        body,
        ...(saidType !== undefined && { saidType }),
      });
    const send = (submission: Submission): void => {
      sent = submission;
    };
    return { add, asked, parts, send };
  }

  async function* chunks(bytes: Buffer, size: () => number) {
    for (let at = 0; at < bytes.length; ) {
      const end = at + size();
      yield bytes.subarray(at, end);
      at = end;
    }
  }

  it('is kept in parts of one size, the same bytes however they come', async () => {
    const { next } = seeded(7);
    for (let round = 0; round < 40; round += 1) {
      const middle = randomBytes(Math.floor(next() * 300_000));
      const file = Buffer.concat([heads['application/pdf'], middle, Buffer.from('%%EOF')]);
      const { add, asked, parts } = world();
      const outcome = await add(chunks(file, () => 1 + Math.floor(next() * 90_000)));
      expect(outcome.kind).toBe('added');
      expect(Buffer.concat(parts).equals(file)).toBe(true);
      expect(parts.slice(0, -1).every(({ length }) => length === attachmentPartBytes)).toBe(true);
      const sha256 = createHash('sha256').update(file).digest('hex');
      expect(asked.at(-1)).toBe(`finish ${file.length} ${sha256}`);
    }
  });

  it('may have its most bytes, and one more leaves nothing', async () => {
    const file = Buffer.alloc(attachmentBytes + 1, ' ');
    heads['image/jpeg'].copy(file);
    const whole = world();
    expect((await whole.add(chunks(file.subarray(0, -1), () => 50_000))).kind).toBe('added');
    const longer = world();
    expect((await longer.add(chunks(file, () => 50_000))).kind).toBe('too_large');
    expect(longer.asked.at(-1)).toBe('abandon');
  });

  it('is not kept where the evidence is sent before it has come whole', async () => {
    const { add, asked, send } = world();
    const file = Buffer.concat([heads['image/png'], randomBytes(200_000), Buffer.from('IEND')]);
    async function* meanwhile() {
      yield file.subarray(0, 100_000);
      send(submissionOf({ state: 'submitting' }));
      yield file.subarray(100_000);
    }
    expect(await add(meanwhile())).toEqual({ kind: 'sent' });
    expect(asked.map((line) => line.split(' ')[0])).toEqual(['begin', 'abandon']);
  });

  it('is never in memory whole: a part is written before more than one chunk beyond it is read', async () => {
    const { add, parts } = world();
    const file = Buffer.concat([heads['image/jpeg'], Buffer.alloc(3_000_000)]);
    let given = 0;
    let mostAhead = 0;
    async function* counted() {
      for await (const chunk of chunks(file, () => 16_384)) {
        given += chunk.length;
        const written = parts.reduce((sum, { length }) => sum + length, 0);
        mostAhead = Math.max(mostAhead, given - written);
        yield chunk;
      }
    }
    expect((await add(counted())).kind).toBe('added');
    expect(given).toBe(file.length);
    expect(mostAhead).toBeLessThanOrEqual(attachmentPartBytes + 2 * 16_384);
  });

  it('is read no further than its limit', async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given += 10_000;
        yield given === 10_000
          ? Buffer.concat([heads['image/jpeg'], Buffer.alloc(9_996)])
          : Buffer.alloc(10_000);
      }
    }
    const { add, asked } = world();
    expect((await add(endless())).kind).toBe('too_large');
    expect(given).toBeLessThanOrEqual(attachmentBytes + 2 * attachmentPartBytes);
    expect(asked.at(-1)).toBe('abandon');
  });

  it('is refused by its bytes before anything is written, and by what it is said to be', async () => {
    const { add, asked } = world();
    const one = (bytes: Buffer) => chunks(bytes, () => bytes.length);
    expect((await add(one(Buffer.from('<html>')), 'application/pdf')).kind).toBe('unreadable');
    expect((await add(one(heads['image/jpeg']), 'image/png')).kind).toBe('unreadable');
    expect((await add(one(Buffer.alloc(0)))).kind).toBe('empty');
    expect(asked).toEqual([]);
    expect((await add(one(heads['application/pdf']))).kind).toBe('unreadable');
    expect(asked.at(-1)).toBe('abandon');
  });

  it('that breaks off leaves nothing', async () => {
    async function* broken() {
      yield Buffer.concat([heads['image/png'], Buffer.alloc(100_000)]);
      throw new Error('aborted');
    }
    const { add, asked } = world();
    await expect(add(broken())).rejects.toThrow('aborted');
    expect(asked.at(-1)).toBe('abandon');
  });
});

describe('where files go', () => {
  type File = Parameters<typeof placeAttachments>[1][number];
  const file = (
    kind: File['kind'],
    bytes = 1_000,
    mediaType: File['mediaType'] = 'application/pdf',
  ) => ({
    kind,
    bytes,
    mediaType,
  });
  const told = (
    of: Parameters<typeof placeAttachments>[0] | Psp,
    files: Parameters<typeof placeAttachments>[1],
  ) =>
    placeAttachments(typeof of === 'string' ? { psp: of } : of, files).map((place) =>
      place.kind === 'goes' ? place.field : place.why,
    );

  it('is one field each at Stripe, the spare one once, then nowhere', () => {
    expect(
      told('stripe', [file('receipt'), file('receipt'), file('receipt'), file('other')]),
    ).toEqual([
      'receipt',
      'uncategorized_file',
      'Stripe accepts one file as receipt: combine them into one PDF.',
      'Stripe accepts one file as uncategorized_file: combine them into one PDF.',
    ]);
  });

  it('is as far as 4.5 MB in all go at Stripe, in their order', () => {
    const places = told('stripe', [
      file('receipt', 4_000_000),
      file('refund_policy', 500_001),
      file('other', 500_000),
    ]);
    expect(places[1]).toBe(
      'Stripe accepts 4.5 MB in total, which the files before this one use up.',
    );
    expect(places[2]).toBe('uncategorized_file');
    expect(told('stripe', [file('receipt', 4_500_001)])[0]).toContain('at most 4.5 MB');
  });

  it('is 4 MB and no spare field at Checkout.com, any number at PayPal, by hand elsewhere', () => {
    expect(told('checkout', [file('receipt', 4_000_001), file('other')])).toEqual([
      'Checkout.com accepts files of at most 4 MB: make it smaller.',
      'Checkout.com has no field for it: choose another kind.',
    ]);
    expect(told('paypal', [file('receipt'), file('receipt')])).toEqual([
      'PROOF_OF_RECEIPT_COPY',
      'PROOF_OF_RECEIPT_COPY',
    ]);
    expect(told('worldpay', [file('receipt')])[0]).toContain('give it the file by hand');
  });

  it('is one of each category at Braintree, and any number in the general one', () => {
    expect(
      told('braintree', [
        file('shipping_documentation'),
        file('shipping_documentation'),
        file('service_documentation'),
        file('receipt', 4_000_000),
        file('other', 4_000_001),
      ]),
    ).toEqual([
      'PROOF_OF_DELIVERY',
      'GENERAL',
      'PROOF_OF_POSSESSION_OR_USAGE',
      'GENERAL',
      'Braintree accepts files of at most 4 MB: make it smaller.',
    ]);
  });

  it('says what the processor decides of it when it is asked', () => {
    const conditionOf = (psp: Psp, kind: File['kind']) => {
      const [place] = placeAttachments({ psp }, [file(kind)]);
      return place?.kind === 'goes' ? place.condition : place?.why;
    };
    expect(conditionOf('adyen', 'receipt')).toContain('the reason that Adyen offers');
    expect(conditionOf('braintree', 'shipping_documentation')).toContain('or to GENERAL');
    expect(conditionOf('braintree', 'receipt')).toBeUndefined();
    expect(conditionOf('stripe', 'receipt')).toBeUndefined();
  });

  it('is the types of documents at Adyen, by its limits of types, networks and sizes', () => {
    expect(
      told('adyen', [
        file('receipt', 2_000_000),
        file('receipt', 2_000_001),
        file('contract', 4_000_000, 'image/jpeg'),
        file('other', 1_000, 'image/png'),
      ]),
    ).toEqual([
      expect.stringContaining('TIDorInvoice'),
      'Adyen accepts files of at most 2 MB: make it smaller.',
      expect.stringContaining('MerchantProofOfRecurringTransaction'),
      'Adyen does not accept PNG: convert it to PDF.',
    ]);
    const large = [file('receipt', 3_000_001, 'image/jpeg')];
    expect(told({ psp: 'adyen', network: 'discover' }, large)).toEqual([
      'Adyen accepts files of at most 3 MB: make it smaller.',
    ]);
    expect(told({ psp: 'adyen', network: 'visa' }, large)[0]).toContain('TIDorInvoice');
  });
});
