/** Recoup's mark: what was lost comes round again. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <rect width="24" height="24" rx="7" />
      <path d="M17.8 13.2a6 6 0 1 1-1.3-5.3M17 4.2v4h-4" />
      <circle cx="12" cy="12" r="1.8" />
    </svg>
  );
}
