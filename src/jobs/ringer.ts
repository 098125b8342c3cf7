/** Rings between processes: whoever makes work due, those that do it. */
export interface Ringer<Kind extends string> {
  /** Tells the other processes; several calls within a moment are one ring. */
  ring(kind: Kind): void;
  /** Calls `listener` when a process rings, this one included. */
  on(kind: Kind, listener: () => void): void;
  /** Another process rang. */
  heard(kind: Kind): void;
}

/** A ring costs a transaction, and a busy process would ring for each request. */
const togetherMs = 20;

/**
 * A ring is a hint: it is not repeated, and one that is lost is made up for by looks. So a database that is
 * away is nobody's concern here.
 */
export function createRinger<Kind extends string>(
  send: (kind: Kind) => Promise<void>,
): Ringer<Kind> {
  const listeners = new Map<Kind, (() => void)[]>();
  /** Kinds that rang a moment ago, and whether they have to ring again. */
  const resting = new Map<Kind, boolean>();

  function ring(kind: Kind): void {
    if (resting.has(kind)) {
      resting.set(kind, true);
      return;
    }
    resting.set(kind, false);
    void send(kind)
      .catch(() => undefined)
      .finally(() => setTimeout(rest, togetherMs, kind).unref());
  }

  function rest(kind: Kind): void {
    const isAskedAgain = resting.get(kind) === true;
    resting.delete(kind);
    if (isAskedAgain) ring(kind);
  }

  return {
    ring,
    on: (kind, listener) => void listeners.set(kind, [...(listeners.get(kind) ?? []), listener]),
    heard(kind) {
      for (const listener of listeners.get(kind) ?? []) listener();
    },
  };
}
