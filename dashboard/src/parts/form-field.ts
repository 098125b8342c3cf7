/**
 * The field of a form that the API calls by this name. `auth.api_key` and `psps.0.secret_key` are called by their
 * last part, the processors' as in `pages/merchants/psp-fields.tsx`.
 */
export function fieldIn(form: HTMLFormElement, name: string): HTMLElement | undefined {
  const last = name.split('.').at(-1) ?? name;
  for (const each of [name, last, `psp_${last}`]) {
    const found = form.elements.namedItem(each);
    if (found instanceof HTMLElement && found.getAttribute('type') !== 'hidden')
      return shownFor(found);
  }
  return undefined;
}

/** What is pressed in the place of a field that is not seen, as of a choice. */
function shownFor(field: HTMLElement): HTMLElement {
  const isSeen = field.getAttribute('aria-hidden') !== 'true';
  return (
    (isSeen ? null : field.parentElement?.querySelector<HTMLElement>('[role="combobox"]')) ?? field
  );
}

/** What a field is called in its form; undefined where it has no label of its own. */
export function labelOf(field: HTMLElement): string | undefined {
  const label = field.closest('label');
  const words = label?.querySelector('span')?.textContent ?? label?.firstChild?.textContent;
  const text = words?.replace(/\(.*?\)/g, '').trim();
  return text === '' ? undefined : text;
}
