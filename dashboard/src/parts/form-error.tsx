import { ApiError } from '../api/request.ts';

/** Why what was sent was not taken, field by field; heard by screen readers as it comes. */
export function FormError({ error }: { readonly error: Error | null }) {
  const fields = error instanceof ApiError ? error.fields : [];
  return (
    <div role="alert" className="form-error">
      {error !== null && <p>{error.message}</p>}
      {fields.length > 0 && (
        <ul>
          {fields.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <code>{field}</code>: {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
