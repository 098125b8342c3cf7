/** What one call may have of its own. */
export interface CallOptions {
  /** Ends the call, its waits and its repetitions. */
  readonly signal?: AbortSignal;
  /** For one try, in milliseconds. Default: the client's. */
  readonly timeoutMs?: number;
  /** 1 to 255 visible ASCII characters. Default: a fresh one for the call, the same in each try. */
  readonly idempotencyKey?: string;
  /** Your id of the request, to find it in the service's logs. Default: the service makes one. */
  readonly requestId?: string;
  /** What a file that is sent is called. Default: the service names it. */
  readonly fileName?: string;
}
