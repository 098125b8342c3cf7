/** One row of the world's parameters: a block of figures, and where they come from. */
export interface ParameterRow<Values extends object> {
  /** Its number in docs/simulator.md. */
  readonly row: number;
  readonly block: string;
  /** What the figures say. */
  readonly words: string;
  readonly values: Values;
  /** A publication that gives the figures, or how they were fitted. */
  readonly source?: string;
  /** Set where a figure of the row is nobody's measurement: vary it before trusting a result. */
  readonly guess?: true;
  /** Who reads the row: this simulator, or only a run of the whole service against it. */
  readonly usedBy: 'world' | 'engine';
}
