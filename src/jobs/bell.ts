/** Lets a loop sleep until somebody rings, without losing a ring that comes before it sleeps. */
export interface Bell {
  ring(): void;
  /** How often it has rung. */
  heard(): number;
  /** Resolves at the first ring after `since`, or after `maxMs`. */
  wait(since: number, maxMs: number): Promise<void>;
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
    wait(since, maxMs) {
      if (rings > since) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(done, maxMs);
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
