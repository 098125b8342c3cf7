/** What JSON can hold. A member that is undefined is not there. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined };

/**
 * One text for one value, whatever the order its members were made in: members sorted by UTF-16 code
 * units, no blanks, numbers as ECMAScript prints them (RFC 8785). Texts are put into Unicode's NFC
 * first, so that one name typed on two machines is one text.
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return JSON.stringify(value);
  if (typeof value === 'string') return JSON.stringify(value.normalize('NFC'));
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .flatMap((name) => {
      const member = value[name];
      return member === undefined ? [] : [`${JSON.stringify(name)}:${canonicalJson(member)}`];
    });
  return `{${members.join(',')}}`;
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}
