/** A table of Markdown; its cells are taken as they are. */
export function markdownTable(
  heads: readonly string[],
  lines: readonly (readonly string[])[],
): string {
  return [heads, heads.map(() => '---'), ...lines]
    .map((line) => `| ${line.join(' | ')} |\n`)
    .join('');
}
