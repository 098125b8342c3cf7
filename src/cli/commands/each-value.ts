/** Parses an option that may be repeated: the values given so far, and this one. */
export function eachValue(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
