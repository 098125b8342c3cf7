/**
 * The one text of a JSON value (RFC 8785): members sorted by their names, no blanks. Undefined for what
 * JSON cannot hold, and for numbers beyond those that every reader has exactly.
 */
export function canonicalText(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  if (typeof value !== 'object') return undefined;
  const parts = Array.isArray(value)
    ? value.map(canonicalText)
    : Object.keys(value)
        .sort()
        .map((name) => {
          const member = canonicalText((value as Record<string, unknown>)[name]);
          return member === undefined ? undefined : `${JSON.stringify(name)}:${member}`;
        });
  if (parts.includes(undefined)) return undefined;
  return Array.isArray(value) ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}
