/** The statements of a migration whose statements are run each for itself: each ends with its line. */
export function statementsOf(sql: string): readonly string[] {
  return sql
    .replace(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** The name of the index that a statement builds while others write. */
export function concurrentIndexOf(statement: string): string | undefined {
  return /^create (?:unique )?index concurrently if not exists (\w+)/i.exec(statement)?.[1];
}
