/** Reading a merchant's event log as it grows. */
export interface FollowEvents {
  readonly merchantId: string;
  /** The sequence of the last event that was read; absent: none is given but the log's end. */
  readonly after?: string;
  readonly limit: number;
}

export interface FollowedEvent {
  readonly eventId: string;
  readonly sequence: string;
  readonly type: string;
  /** Absent for a card that is about to expire, which concerns no invoice. */
  readonly invoiceId?: string;
  readonly createdAt: Date;
  /** The webhook's body, byte for byte. */
  readonly payload: string;
}

export interface EventsRead {
  readonly items: readonly FollowedEvent[];
  /** The cursor for the next call. */
  readonly cursor: string;
}
