/** What is shown while an answer is on its way: its place, so that nothing jumps. */
export function Loading({ what, rows = 3 }: { readonly what: string; readonly rows?: number }) {
  return (
    <div className="state state-loading" role="status">
      <span className="unseen">Loading {what}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars without any content
        <span key={row} className="bone" aria-hidden="true" />
      ))}
    </div>
  );
}
