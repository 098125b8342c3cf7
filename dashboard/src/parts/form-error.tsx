import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { ChangedMeanwhile } from '../api/edit.ts';
import { ApiError } from '../api/request.ts';
import { fieldIn, labelIn, withLabels } from './form-field.ts';
import { faultText, formMessage, movedText } from './form-words.ts';

/**
 * Why what was sent was not taken, field by field; heard by screen readers as it comes. In a form each fault is
 * tied to its field, which is named as the form names it, and the first one that is wrong has the focus.
 */
export function FormError({ error }: { readonly error: Error | null }) {
  const fields = useMemo(() => fieldsOf(error), [error]);
  const place = useRef<HTMLDivElement>(null);
  const ownId = useId();
  const [labels, setLabels] = useState<readonly (string | undefined)[]>([]);
  const message = error instanceof ApiError ? formMessage(error) : error?.message;
  const [shown, setShown] = useState(message);
  useEffect(() => {
    const form = place.current?.closest('form') ?? null;
    const found = fields.map(({ field }) => (form === null ? undefined : fieldIn(form, field)));
    setLabels(fields.map(({ field }) => (form === null ? undefined : labelIn(form, field))));
    setShown(form === null || message === undefined ? message : withLabels(form, message));
    found.find((element) => element !== undefined)?.focus();
    const untied = found.map((element, index) => element && tie(element, `${ownId}-${index}`));
    return () => {
      for (const each of untied) each?.();
    };
  }, [fields, message, ownId]);
  return (
    <div role="alert" className="form-error" ref={place}>
      {error !== null && <p>{shown ?? message}</p>}
      {fields.length > 0 && (
        <ul>
          {fields.map(({ field, message: fault }, index) => (
            <li key={`${field} ${fault}`} id={`${ownId}-${index}`}>
              {labels[index] ?? <code>{field}</code>}: {faultText(fault)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function fieldsOf(error: Error | null): ApiError['fields'] {
  if (error instanceof ChangedMeanwhile) return error.fields.map(movedText);
  return error instanceof ApiError ? error.fields : noFields;
}

/** One for all, so that no rendering begins another. */
const noFields: ApiError['fields'] = [];

/** Says at a field that it is wrong, and where it stands why, until something else is typed or sent. */
function tie(element: HTMLElement, id: string): () => void {
  const before = element.getAttribute('aria-describedby');
  const untie = (): void => {
    element.removeAttribute('aria-invalid');
    if (before === null) element.removeAttribute('aria-describedby');
    else element.setAttribute('aria-describedby', before);
    element.removeEventListener('input', untie);
  };
  element.setAttribute('aria-invalid', 'true');
  element.setAttribute('aria-describedby', before === null ? id : `${id} ${before}`);
  element.addEventListener('input', untie);
  return untie;
}
