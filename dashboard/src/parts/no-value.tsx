/** Where a table has no value: a dash, which is read out as a word. */
export function NoValue() {
  return (
    <span className="no-value muted">
      <span aria-hidden="true">–</span>
      <span className="unseen">none</span>
    </span>
  );
}
