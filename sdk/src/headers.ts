/** Headers in any of the forms that servers have them: of Fetch, or of Node. */
export type HeadersLike =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A header, whatever the case of its name. Empty when it is absent, and when it stands twice: of two
 * signatures nobody can say which one counts.
 */
export function headerOf(headers: HeadersLike, name: string): string {
  if (isFetchHeaders(headers)) return headers.get(name) ?? '';
  const wanted = name.toLowerCase();
  const found = Object.entries(headers).filter(
    ([key, value]) => key.toLowerCase() === wanted && value !== undefined,
  );
  const [first] = found;
  const values = found.length === 1 && first !== undefined ? [first[1]].flat() : [];
  return values.length === 1 ? (values[0] ?? '') : '';
}

function isFetchHeaders(headers: HeadersLike): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}
