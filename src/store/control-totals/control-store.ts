import type { ControlStore } from '../../recovery/accounting/accounting-ports.ts';
import type { Database } from '../database.ts';
import { foldEntries } from './fold-entries.ts';
import { readControl } from './read-control.ts';

export function createControlStore(db: Database): ControlStore {
  return { fold: (input) => foldEntries(db, input), read: () => readControl(db) };
}
