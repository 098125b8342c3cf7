/**
 * The field of a form that the API calls by this name. `auth.api_key` and `psps.0.secret_key` are called by their
 * last part, the processors' as in `pages/merchants/psp-fields.tsx`; `target.to.1` is the second entry of `to`.
 */
export function fieldIn(form: HTMLFormElement, name: string): HTMLElement | undefined {
  const parts = name.split('.').filter((part) => !isIndex(part));
  for (const part of [name, ...parts.reverse()]) {
    for (const each of [part, `psp_${part}`]) {
      const found = firstOf(form.elements.namedItem(each));
      if (found !== undefined && found.getAttribute('type') !== 'hidden') return shownFor(found);
    }
  }
  return undefined;
}

/** What a field is called in its form; undefined where it has no label of its own. */
export function labelOf(field: HTMLElement): string | undefined {
  if (isOneOfSeveral(field)) return field.closest('fieldset')?.querySelector('legend')?.innerText;
  const choice = field.closest('.choice')?.querySelector<HTMLElement>('.field-name');
  if (choice !== null && choice !== undefined) return choice.innerText.trim();
  const label = field.closest('label');
  // A hint may follow in a span of its own; beside a box the words come after it.
  const first = label?.firstChild?.textContent?.trim() ?? '';
  const words = first === '' ? label?.querySelector('span')?.textContent : first;
  const text = words?.replace(/\(.*?\)/g, '').trim();
  return text === '' ? undefined : text;
}

/** How the form calls what the API calls by this name, and which entry of a list it is; undefined: not there. */
export function labelIn(form: HTMLFormElement, name: string): string | undefined {
  const field = fieldIn(form, name);
  const label = (field && labelOf(field)) ?? unseenLabel(form, name);
  const last = name.split('.').at(-1) ?? '';
  return label !== undefined && isIndex(last) ? `${label} (entry ${Number(last) + 1})` : label;
}

/** A sentence of the API with the labels of the form for the names of its fields. */
export function withLabels(form: HTMLFormElement, sentence: string): string {
  const names = [...form.elements]
    .flatMap((each) => each.getAttribute('name') ?? [])
    .flatMap((name) => [name, name.replace(/^psp_/, '')]);
  return [...new Set(names)].reduce((text, name) => {
    const label = labelIn(form, name);
    return label === undefined ? text : text.replaceAll(asNamed(name), `“${label}”`);
  }, sentence);
}

/** A name without `_` may be a word of the sentence; where it begins one it is the field's. */
function asNamed(name: string): RegExp {
  return name.includes('_')
    ? new RegExp(`\\b${name}\\b`, 'g')
    : new RegExp(`^${name}(?=:| is refused| must )`, 'g');
}

/** What the form sends by itself says in `data-label` what it is. */
function unseenLabel(form: HTMLFormElement, name: string): string | undefined {
  const found = firstOf(form.elements.namedItem(name));
  return found?.dataset.label;
}

/** Boxes of one name are a list of nodes. */
function firstOf(found: Element | RadioNodeList | null): HTMLElement | undefined {
  const first = found instanceof RadioNodeList ? found[0] : found;
  return first instanceof HTMLElement ? first : undefined;
}

function isOneOfSeveral(field: HTMLElement): boolean {
  if (!(field instanceof HTMLInputElement) || field.form === null) return false;
  return field.form.elements.namedItem(field.name) instanceof RadioNodeList;
}

/** What is pressed in the place of a field that is not seen, as of a choice. */
function shownFor(field: HTMLElement): HTMLElement {
  const isSeen = field.getAttribute('aria-hidden') !== 'true';
  return (
    (isSeen ? null : field.parentElement?.querySelector<HTMLElement>('[role="combobox"]')) ?? field
  );
}

function isIndex(part: string): boolean {
  return /^\d+$/.test(part);
}
