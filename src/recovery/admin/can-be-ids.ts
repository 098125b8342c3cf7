/** PostgreSQL keeps no NUL character: nothing that is stored has an id with one. */
export function canBeIds(...ids: readonly (string | undefined)[]): boolean {
  return ids.every((id) => id?.includes('\0') !== true);
}
