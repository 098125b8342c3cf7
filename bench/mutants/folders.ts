/** A part of the sources whose mutants are planted, with the tests that have to see them. */
export interface MutatedFolder {
  readonly name: string;
  readonly source: string;
  /** The mirrored folders, and those of rules that stand beside them: no others are run. */
  readonly tests: readonly string[];
}

export const mutatedFolders: readonly MutatedFolder[] = [
  { name: 'domain', source: 'src/domain', tests: ['test/domain'] },
  { name: 'policy', source: 'src/policy', tests: ['test/policy'] },
  { name: 'psp', source: 'src/psp', tests: ['test/psp'] },
  { name: 'disputes', source: 'src/disputes', tests: ['test/disputes', 'test/http/disputes'] },
  { name: 'recovery', source: 'src/recovery', tests: ['test/recovery'] },
  {
    name: 'store/engine',
    source: 'src/store/engine',
    tests: [
      'test/store/engine',
      'test/store/cards',
      'test/recovery/engine/answers',
      'test/recovery/engine/stop-payment.test.ts',
    ],
  },
  {
    name: 'store/intake',
    source: 'src/store/intake',
    tests: [
      'test/store/intake',
      'test/store/cards',
      'test/store/debts',
      'test/recovery/debts',
      'test/recovery/intake/foreign-attempts.test.ts',
    ],
  },
];
