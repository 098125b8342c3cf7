/** Says that what stands below is of what was asked for before, while the answer is on its way. */
export function Late({ what }: { readonly what: string }) {
  return (
    <div className="late" role="status">
      <span className="unseen">Loading {what}</span>
    </div>
  );
}
