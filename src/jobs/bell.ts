/** Lets a loop sleep until somebody rings, without losing a ring that comes before it sleeps. */
export interface Bell {
  ring(): void;
  /** How often it has rung. */
  heard(): number;
  /** Resolves at the first ring after `since`, or after `mostMs`. */
  wait(since: number, mostMs: number): Promise<void>;
}

export function createBell(): Bell {
  let rings = 0;
  let release: (() => void) | undefined;
  return {
    ring() {
      rings += 1;
      release?.();
    },
    heard: () => rings,
    wait(since, mostMs) {
      if (rings > since) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(done, mostMs);
        function done(): void {
          clearTimeout(timer);
          release = undefined;
          resolve();
        }
        release = done;
      });
    },
  };
}
