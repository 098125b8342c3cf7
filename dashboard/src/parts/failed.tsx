import { ApiError } from '../api/request.ts';
import { ActButton } from './act-button.tsx';

/** What could not be had, why, and the retry. */
export function Failed({
  what,
  error,
  isAsking = false,
  retry,
}: {
  readonly what: string;
  readonly error: unknown;
  /** It is being tried again. */
  readonly isAsking?: boolean;
  readonly retry?: () => void;
}) {
  const fields = error instanceof ApiError ? error.fields : [];
  const message = error instanceof Error ? error.message : String(error);
  return (
    <section className="state state-failed" role="alert">
      <h2>Could not load {what}</h2>
      <p>{fields.length === 0 ? message : 'The address of this page is not valid:'}</p>
      {fields.length > 0 && (
        <ul>
          {fields.map(({ field, message: fault }) => (
            <li key={field}>
              <code>{field}</code>: {fault}
            </li>
          ))}
        </ul>
      )}
      {retry !== undefined && (
        <ActButton isBusy={isAsking} onClick={retry}>
          Try again
        </ActButton>
      )}
    </section>
  );
}
