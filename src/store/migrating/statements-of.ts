/** What a semicolon ends no statement in: comments, texts, names in quotes, bodies of functions. */
const whole =
  /--.*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;|[^;'"$\-/]+|./g;

/**
 * The statements of a migration. Each is sent for itself: servers that pass statements on to others take
 * one at a time, and what cannot run in a transaction has to be alone.
 */
export function statementsOf(sql: string): readonly string[] {
  const statements = [''];
  for (const [part] of sql.matchAll(whole)) {
    if (part === ';') statements.push('');
    else if (!part.startsWith('--') && !part.startsWith('/*')) {
      statements.push(`${statements.pop()}${part}`);
    }
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
}

/** The name of the index that a statement builds while others write. */
export function concurrentIndexOf(statement: string): string | undefined {
  return /^create (?:unique )?index concurrently if not exists (\w+)/i.exec(statement)?.[1];
}
