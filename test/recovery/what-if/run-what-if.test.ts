import { expect, it } from 'vitest';
import { runWhatIf } from '../../../src/recovery/what-if/run-what-if.ts';
import type {
  RecordedCharge,
  TestedCharge,
  WhatIfNote,
} from '../../../src/recovery/what-if/what-if-ports.ts';
import { whatIfOf, whatIfResult } from '../../kits/what-ifs.ts';

const at = new Date('2026-03-01T00:00:00Z');
const charge: RecordedCharge = {
  chargeId: 'sandbox/ch_1',
  invoiceId: 'in_1',
  customerId: 'cus_1',
  psp: 'sandbox',
  at,
  amountMinor: 1_000,
  currency: 'EUR',
  succeeded: false,
  paymentMethodId: 'pm_1',
  scheme: 'Visa',
  issuerCountry: 'de',
};

/** A run over these pages of charges. */
async function run(pages: readonly (readonly RecordedCharge[])[], failure?: Error) {
  const notes: WhatIfNote[] = [];
  const added: TestedCharge[] = [];
  const abort = new AbortController();
  let isClosed = false;
  const left = [...pages];
  const end = await runWhatIf(
    {
      clock: { now: () => at },
      store: {
        find: async (whatIfId) => whatIfOf({ whatIfId }),
        note: async (note) => void notes.push(note),
      },
      readCharges: async () => left.shift() ?? [],
      startTester: () => ({
        add: async (charges) => void added.push(...charges),
        async test() {
          if (failure !== undefined) throw failure;
          return whatIfResult;
        },
        close: async () => {
          isClosed = true;
        },
      }),
    },
    { whatIfId: 'wif_1', signal: abort.signal, progress() {} },
  ).then(
    () => 'done',
    (error: Error) => error.message,
  );
  return { end, notes, added, isClosed };
}

it('reads page by page, tests, and keeps the result with the what-if', async () => {
  const decline = { category: 'later', code: '51' } as const;
  const own = { ...charge, invoiceId: 'in_2', decline, propensity: 0.9 };
  const { end, notes, added, isClosed } = await run([[charge], [own]]);
  expect([end, isClosed]).toEqual(['done', true]);
  expect(notes.map(({ state, charges }) => [state, charges])).toEqual([
    ['reading', 0],
    ['reading', 1],
    ['reading', 2],
    ['testing', 2],
    ['done', 2],
  ]);
  expect(notes.at(-1)?.result).toEqual(whatIfResult);
  expect(added).toMatchObject([
    { brand: 'visa', timeZone: 'Europe/Berlin', decline: { category: 'later', code: 'unknown' } },
    { decline, propensity: 0.9 },
  ]);
});

it('says why it failed, and is run again', async () => {
  const failure = new Error('the thread ended before its answer');
  const { end, notes, isClosed } = await run([[charge]], failure);
  expect([end, isClosed]).toEqual(['the thread ended before its answer', true]);
  expect(notes.at(-1)).toMatchObject({ state: 'failed', message: end });
});

it('keeps no value that a statement or a text failed at', async () => {
  const unreadable = Object.assign(new Error('invalid input syntax: "jo@x.test"'), {
    code: '22P02',
  });
  for (const failure of [unreadable, new SyntaxError('"jo@x.test" is not valid JSON')]) {
    const { notes } = await run([[charge]], failure);
    expect(notes.at(-1)?.state).toBe('failed');
    expect(notes.at(-1)?.message).toMatch(/^a (?:statement failed|text could not be read)/);
  }
});
