import type { KeyProvider } from '../sealing/key-provider.ts';
import type { CellConnection } from './cell-connection.ts';

/** The two cells of a move. */
export interface MoveEnds {
  readonly source: CellConnection;
  readonly target: CellConnection;
  /** Opens what the source's keys have wrapped, and wraps by the target's. */
  readonly keys: KeyProvider;
  /** The target's: opens what they have wrapped. */
  readonly theirs: KeyProvider;
}
