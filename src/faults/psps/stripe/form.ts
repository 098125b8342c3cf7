/** A value of a form-encoded body with nested keys, as Stripe reads it: texts, lists, objects. */
export type FormValue = string | FormObject;
export interface FormObject {
  readonly [key: string]: FormValue;
}

/** `a[b]=1&c[0]=2` as `{a: {b: '1'}, c: {0: '2'}}`; `c[]=2` counts its own index up. */
export function parseForm(text: string): FormObject {
  const root: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const inner = [...name.matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? '');
    const keys = [name.split('[')[0] ?? '', ...inner];
    let at = root;
    for (const [index, key] of keys.entries()) {
      const own = key === '' ? String(Object.keys(at).length) : key;
      if (index === keys.length - 1) at[own] = value;
      else {
        at[own] ??= {};
        at = at[own] as Record<string, unknown>;
      }
    }
  }
  return root as FormObject;
}

export function textAt(form: FormObject, key: string): string | undefined {
  const value = form[key];
  return typeof value === 'string' ? value : undefined;
}

export function formAt(form: FormObject, key: string): FormObject {
  const value = form[key];
  return typeof value === 'object' ? value : {};
}

/** A list of texts, such as `expand`. */
export function textsAt(form: FormObject, key: string): readonly string[] {
  return Object.values(formAt(form, key)).filter((value) => typeof value === 'string');
}

/** Stripe's partial update of metadata: an empty value takes its key away, an empty form all of them. */
export function withMetadata(
  before: Readonly<Record<string, string>>,
  form: FormObject,
): Record<string, string> {
  if (form.metadata === '') return {};
  const given = Object.entries(formAt(form, 'metadata')).map(([key, value]) => [
    key,
    String(value),
  ]);
  const all: Record<string, string> = { ...before, ...Object.fromEntries(given) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}
