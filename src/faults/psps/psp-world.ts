import type { WorldRecord } from '../record.ts';
import type { Issuer } from './issuer.ts';

/** What every simulated PSP is given. */
export interface PspWorld {
  readonly record: WorldRecord;
  readonly issuer: Issuer;
  readonly nowMs: () => number;
}

/** An answer with its status, as JSON. */
export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  return { status, body: JSON.stringify(body), headers };
}
