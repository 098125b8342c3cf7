/** Reading brings the sums up to date: a later look has what the first one lacks. */
const lookAgainMs = 1_000;

/** For `refetchInterval`: until everything that changed before `askedAt` is counted, and then no more. */
export function lookAgainAfterMs(
  asOf: string | undefined,
  askedAt: Date,
  lagMs: number,
): number | false {
  const isCounted = asOf !== undefined && Date.parse(asOf) >= askedAt.getTime() - lagMs;
  return isCounted ? false : lookAgainMs;
}
