/** Lets a loop sleep until it is notified. A notification that comes before it sleeps is not lost. */
export interface Notifier {
  notify(): void;
  /** How often it was notified. */
  count(): number;
  /** Resolves at the first notification after `since`, or after `maxMs`. */
  wait(since: number, maxMs: number): Promise<void>;
}

export function createNotifier(): Notifier {
  let notified = 0;
  let release: (() => void) | undefined;
  return {
    notify() {
      notified += 1;
      release?.();
    },
    count: () => notified,
    wait(since, maxMs) {
      if (notified > since) return Promise.resolve();
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
