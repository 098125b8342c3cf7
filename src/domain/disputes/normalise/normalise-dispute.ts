import { type Psp, pspFacts } from '../../psps.ts';
import type { DisputeState } from './dispute-state.ts';
import type { PspDisputeSaid } from './psp-dispute-rows.ts';

const fields = ['event', 'stage', 'status', 'outcome', 'program'] as const;

/** Where a dispute stands; undefined for words that no row of the PSP knows. */
export function normaliseDispute(psp: Psp, said: PspDisputeSaid): DisputeState | undefined {
  return pspFacts[psp].disputes?.rows.find(({ when }) =>
    fields.every((field) => {
      const word = when[field];
      return word === undefined || plain(word) === plain(said[field] ?? '');
    }),
  )?.state;
}

/** Client libraries change the case of such words, and PSPs' examples have blanks around them. */
function plain(word: string): string {
  return word.trim().toLowerCase();
}
