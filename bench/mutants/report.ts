import type { MutantsResult, Survivor } from './result.ts';

/** A table of how many mutants were killed, as Markdown, and below it those that were not. */
export function reportOf(results: readonly MutantsResult[]): string {
  const rows = results.map((result) => {
    const { name, all, planted, killedByTests, timedOut, killedByCompiler, survivors } = result;
    const percent = planted === 0 ? '–' : `${(100 * killedShare(result)).toFixed(0)} %`;
    const counts = [all, planted, killedByTests, timedOut, killedByCompiler, survivors.length];
    return `| ${name} | ${counts.join(' | ')} | ${percent} |`;
  });
  const survivors = results.flatMap((result) => result.survivors.map(inWords));
  return [
    '| part | mutants | planted | killed by tests | by time-out of them | by the compiler | survived | killed of planted |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    ...survivors,
  ].join('\n');
}

/** From 0 to 1. */
export function killedShare({ planted, survivors }: MutantsResult): number {
  return 1 - survivors.length / planted;
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
