/**
 * Throws TypeError where a setting is missing or empty, as one from an unset environment variable is.
 * Types do not help there in JavaScript, and a server that starts without its secret fails only at the
 * first webhook. Of a list one text will do: the second key of a rotation may be absent.
 */
export function requireText(name: string, value: unknown): void {
  if ([value].flat().some((each) => typeof each === 'string' && each !== '')) return;
  throw new TypeError(
    `${name} is missing or empty. If it comes from an environment variable, set that first.`,
  );
}
