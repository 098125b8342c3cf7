import { secondMs } from '../../domain/clock.ts';

/** Lines of one kind in a window that are written; the rest is counted, and told with the next one. */
const maxLines = 10;
const windowMs = 10 * secondMs;
/** Kinds that are remembered: texts are ours, and so are few. */
const maxKinds = 1_000;

interface Written {
  endsAtMs: number;
  lines: number;
  leftOut: number;
}

type Write = (fields: object, text: string) => void;

interface SampledLog {
  readonly error: Write;
  readonly warn?: Write;
}

/**
 * A log whose errors and warnings are sampled: where each of thousands of requests fails alike, writing it down
 * would cost more than the requests. Those are alike that have a text, a name and a code in common.
 */
export function sampledLog<Log extends SampledLog>(log: Log, elapsedMs: () => number): Log {
  const kinds = new Map<string, Written>();
  const sampled =
    (level: 'error' | 'warn'): Write =>
    (fields, text) => {
      const write = (more: object) => log[level]?.({ ...fields, ...more }, text);
      const nowMs = elapsedMs();
      const kind = `${level} ${kindOf(fields, text)}`;
      const known = kinds.get(kind);
      if (known === undefined || known.endsAtMs <= nowMs) {
        if (kinds.size >= maxKinds) kinds.clear();
        kinds.set(kind, { endsAtMs: nowMs + windowMs, lines: 1, leftOut: 0 });
        const leftOut = known?.leftOut ?? 0;
        write(leftOut === 0 ? {} : { alike_left_out: leftOut });
      } else if (known.lines < maxLines) {
        known.lines += 1;
        write({});
      } else {
        known.leftOut += 1;
      }
    };
  const own: SampledLog = { error: sampled('error'), warn: sampled('warn') };
  return new Proxy(log, {
    get: (target, name) => {
      if (name === 'error' || name === 'warn') return own[name];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function kindOf(fields: object, text: string): string {
  const { error } = fields as {
    readonly error?: { readonly name?: string; readonly code?: string };
  };
  return `${text} ${error?.name ?? ''} ${error?.code ?? ''}`;
}
