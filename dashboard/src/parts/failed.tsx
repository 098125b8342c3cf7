import { ApiError } from '../api/request.ts';

/** What could not be had, why, and the retry. */
export function Failed({
  what,
  error,
  retry,
}: {
  readonly what: string;
  readonly error: unknown;
  readonly retry?: () => void;
}) {
  const message = error instanceof Error ? error.message : String(error);
  return (
    <section className="state state-failed" role="alert">
      <h2>Could not load {what}</h2>
      <p>{message}</p>
      {error instanceof ApiError && error.fields.length > 0 && (
        <ul>
          {error.fields.map(({ field, message: fault }) => (
            <li key={field}>
              {field}: {fault}
            </li>
          ))}
        </ul>
      )}
      {retry !== undefined && (
        <button type="button" className="button" onClick={retry}>
          Try again
        </button>
      )}
    </section>
  );
}
