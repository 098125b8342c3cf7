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

interface ErrorLog {
  error(fields: object, text: string): void;
}

/**
 * A log whose errors are sampled: where each of thousands of requests fails alike, writing it down would cost
 * more than the requests. Errors are alike that have a text, a name and a code in common.
 */
export function sampledLog<Log extends ErrorLog>(log: Log, elapsedMs: () => number): Log {
  const kinds = new Map<string, Written>();
  const error = (fields: object, text: string): void => {
    const nowMs = elapsedMs();
    const kind = kindOf(fields, text);
    const known = kinds.get(kind);
    if (known === undefined || known.endsAtMs <= nowMs) {
      if (kinds.size >= maxKinds) kinds.clear();
      kinds.set(kind, { endsAtMs: nowMs + windowMs, lines: 1, leftOut: 0 });
      const leftOut = known?.leftOut ?? 0;
      log.error(leftOut === 0 ? fields : { ...fields, alike_left_out: leftOut }, text);
    } else if (known.lines < maxLines) {
      known.lines += 1;
      log.error(fields, text);
    } else {
      known.leftOut += 1;
    }
  };
  return new Proxy(log, {
    get: (target, name) => {
      if (name === 'error') return error;
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
