/** The id of a path; PostgreSQL keeps no NUL character, so that no dispute has one in its id. */
export function disputeIdIn(path: Readonly<Record<string, string>>): string | undefined {
  const id = path.id ?? '';
  return id === '' || id.includes('\0') ? undefined : id;
}
