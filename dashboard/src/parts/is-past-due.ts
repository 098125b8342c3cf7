/** States that await an answer; where the status is known too, it says so by itself. */
const awaiting: readonly string[] = ['needs_response', 'inquiry_open'];

/** Whether a dispute awaits an answer that was due before, by the processor's date or an estimated one. */
export function isPastDue(
  {
    state,
    status,
    respond_by: at,
  }: { readonly state: string; readonly status?: string; readonly respond_by?: string },
  now: Date,
): boolean {
  const isAwaited = status === undefined ? awaiting.includes(state) : status === 'needs_response';
  return isAwaited && at !== undefined && Date.parse(at) <= now.getTime();
}
