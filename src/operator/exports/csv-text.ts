/** What a spreadsheet would take for a formula where it stands at a cell's beginning (OWASP, CSV injection). */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;
const needsQuotes = /[",\r\n]/;

/** A text that somebody wrote, as a cell: never a formula, quoted where it has to be (RFC 4180). */
export function textCell(text: string): string {
  return quoted(formulaStart.test(text) ? `'${text}` : text);
}

/** A line of cells, ended as RFC 4180 asks. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

function quoted(text: string): string {
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
