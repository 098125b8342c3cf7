import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second on every common build of Linux (USER_HZ). */
const tickMs = 10;

interface Times {
  readonly parent: number;
  /** Its own and that of children which have ended. */
  readonly usedMs: number;
}

/** CPU time of a process and its living children in ms; undefined where there is no /proc. */
export function cpuTimeMs(pid: number): number | undefined {
  const own = timesOf(String(pid));
  if (own === undefined) return undefined;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => timesOf(name) ?? [])
    .filter((times) => times.parent === pid);
  return children.reduce((sum, times) => sum + times.usedMs, own.usedMs);
}

function timesOf(pid: string): Times | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold blanks; the fields after it are numbered from 3 (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), usedMs: ticks * tickMs };
  } catch {
    return undefined;
  }
}
