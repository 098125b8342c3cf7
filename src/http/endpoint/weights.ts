/**
 * How many requests of its caller's pace one of a costly kind takes. With the defaults a merchant's programs read fifty pages or
 * forty packets a second for as long as they like, which nobody needs and nobody else feels
 * (`npm run bench -- neighbours`, `pipelining` and `pdf`).
 */
export const weights = {
  /** A page of a list: up to a hundred items. */
  page: 4,
  /** Made of every fact that there is of a payer. */
  evidence: 5,
} as const;
