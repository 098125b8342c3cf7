/** `failures`: by Recoup, after days of nothing but failures. */
export const pausedBys = ['operator', 'failures'] as const;
export type PausedBy = (typeof pausedBys)[number];

/** While it is paused an endpoint is sent nothing; what would be sent is kept until it is resumed. */
export interface EndpointPause {
  readonly at: Date;
  readonly by: PausedBy;
}
