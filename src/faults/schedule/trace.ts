import { createHash } from 'node:crypto';

/** Everything that happened, in order: its hash tells whether two runs were the same. */
export interface Trace {
  add(atMs: number, line: string): void;
  readonly lines: number;
  /** The hash of all lines so far. */
  hash(): string;
  /** The last lines, oldest first. */
  last(): readonly string[];
}

const maxTailLines = 60;

export function createTrace(startMs: number, onLine?: (line: string) => void): Trace {
  const hash = createHash('sha256');
  const kept: string[] = [];
  let lines = 0;
  return {
    add(atMs, text) {
      const line = `${clockText(atMs - startMs)} ${text}`;
      hash.update(`${line}\n`);
      lines += 1;
      kept.push(line);
      if (kept.length > 2 * maxTailLines) kept.splice(0, maxTailLines);
      onLine?.(line);
    },
    get lines() {
      return lines;
    },
    hash: () => hash.copy().digest('hex').slice(0, 16),
    last: () => kept.slice(-maxTailLines),
  };
}

/** Days, hours, minutes, seconds and milliseconds since the beginning. */
function clockText(sinceMs: number): string {
  const pad = (value: number, width: number) => String(value).padStart(width, '0');
  const seconds = Math.floor(sinceMs / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60];
  const rest = `${pad(seconds % 60, 2)}.${pad(Math.floor(sinceMs % 1_000), 3)}`;
  return `${pad(Math.floor(seconds / 86_400), 2)}d ${pad(hours, 2)}:${pad(minutes, 2)}:${rest}`;
}
