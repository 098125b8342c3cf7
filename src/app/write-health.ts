import { secondMs } from '../domain/clock.ts';
import { type ErrorCode, errorRegistry } from '../domain/errors.ts';
import { type RefusedWrites, refusedWriteCodes } from '../domain/held-back.ts';

interface Refusal {
  readonly code: RefusedWrites['code'];
  readonly atMs: number;
}

/** What the database said of its writes last. */
export interface WriteHealth {
  /** Told of every refusal that a statement met. */
  note(code: ErrorCode): void;
  /** Why no writes are taken; undefined while they are, and again as soon as one is. */
  refused(): Promise<RefusedWrites | undefined>;
}

/** After a refusal nothing is tried for so long: whoever asks then is answered from memory. */
const restMs = 5 * secondMs;

/**
 * Statements tell of a full disk and of a database that takes no writes. Later a write that nobody needs
 * is tried when somebody asks, so it heals by itself, also where nothing else writes.
 */
export function createWriteHealth(deps: {
  readonly elapsedMs: () => number;
  readonly probe: () => Promise<void>;
}): WriteHealth {
  let last: Refusal | undefined;
  return {
    note(code) {
      const refused = refusedWriteCodes.find((known) => known === code);
      if (refused !== undefined) last = { code: refused, atMs: deps.elapsedMs() };
    },
    async refused() {
      const refusal = last;
      if (refusal === undefined) return undefined;
      if (deps.elapsedMs() - refusal.atMs >= restMs) {
        try {
          await deps.probe();
          last = undefined;
          return undefined;
        } catch {
          // A refusal was noted on its way here; a database that is away is told of elsewhere.
        }
      }
      return { code: refusal.code, message: errorRegistry[refusal.code].what };
    },
  };
}
