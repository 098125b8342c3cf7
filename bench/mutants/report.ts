import type { MutantsResult, Survivor } from './result.ts';

/** A table of how many mutants were killed, as Markdown, and below it those that were not. */
export function reportOf(results: readonly MutantsResult[]): string {
  const rows = results.map(({ name, all, planted, killed }) => {
    const percent = planted === 0 ? '–' : `${((100 * killed) / planted).toFixed(0)} %`;
    return `| ${name} | ${all} | ${planted} | ${killed} | ${planted - killed} | ${percent} |`;
  });
  const survivors = results.flatMap((result) => result.survivors.map(inWords));
  return [
    '| part | mutants | planted | killed | survived | killed of planted |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    ...survivors,
  ].join('\n');
}

function inWords({ at, original, replacement, isUncovered }: Survivor): string {
  const seen = isUncovered ? ' (no test comes by)' : '';
  return `${at}${seen}\n  - ${oneLine(original)}\n  + ${oneLine(replacement)}`;
}

const maxColumns = 160;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= maxColumns ? line : `${line.slice(0, maxColumns - 1)}…`;
}
