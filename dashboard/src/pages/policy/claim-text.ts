/** What would let the history carry the claim, by the reason of the refusal. */
const advice: Readonly<Record<string, string>> = {
  too_few_decisions: 'The history is too short yet; it grows with each failed payment.',
  no_randomness:
    'Each retry had its time for certain, so nothing is known of other times. The learned policy takes some times by chance; after some weeks of it there is something to compare.',
  no_propensities: 'Some decisions were kept without the chance of their time.',
  no_support:
    'These terms would mostly try when nobody has tried. Terms nearer to what was done may be carried.',
  small_effective_sample:
    'Too few of the choices that were made are like these. A longer history, or terms nearer to what was done, may carry it.',
};

export function adviceOf(reason: string | undefined): string {
  return advice[reason ?? ''] ?? '';
}
