/** Something that the service was told and has acknowledged, and how it is told again. */
export interface Told {
  readonly atMs: number;
  again(): void;
}
