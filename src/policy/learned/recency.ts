import { dayMs } from '../../domain/clock.ts';
import type { TrainingRow } from './retry-facts.ts';

/** After so long a try counts by half: payers, issuers and schedules change. */
const halfLifeDays = 180;

/** What is left of a try's word at a later time, from 0 to 1. */
export function recencyOf({ atMs }: Pick<TrainingRow, 'atMs'>, lastMs: number): number {
  return 0.5 ** (Math.max(0, lastMs - atMs) / (halfLifeDays * dayMs));
}

/** When the newest try was made. */
export function lastTryMs(rows: readonly TrainingRow[]): number {
  return rows.reduce((latest, { atMs }) => Math.max(latest, atMs), 0);
}
