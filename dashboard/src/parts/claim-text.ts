/** What would let the history carry the claim, by the reason of the refusal. */
const advice: Readonly<Record<string, string>> = {
  too_few_decisions: 'The history is too short yet; it grows with each failed payment.',
  no_randomness:
    'Every retry time was fixed, so nothing is known about other times. The learned policy takes some times by chance; after some weeks of it there is something to compare.',
  no_propensities: 'Some decisions were kept without the chance of their time.',
  no_support:
    'These terms would mostly try at times that were never tried. Terms closer to what was done may have enough data.',
  small_effective_sample:
    'Too few past choices are like these. A longer history, or terms closer to what was done, may be enough.',
};

export function adviceOf(reason: string | undefined): string {
  return advice[reason ?? ''] ?? '';
}
