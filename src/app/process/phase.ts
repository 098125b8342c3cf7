import { errorRegistry } from '../../domain/errors.ts';
import type { NotServing } from '../../domain/held-back.ts';

/** Where a process is between its start and its end. */
export interface Phase {
  /** Why nobody should send it anything; undefined while it serves. */
  notServing(): NotServing | undefined;
  started(): void;
  ending(): void;
}

export function createPhase(): Phase {
  let code: NotServing['code'] | undefined = 'service_starting';
  return {
    notServing: () => code && { code, message: errorRegistry[code].what },
    started() {
      if (code === 'service_starting') code = undefined;
    },
    ending() {
      code = 'service_ending';
    },
  };
}
