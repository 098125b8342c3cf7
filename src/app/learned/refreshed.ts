export interface Refreshed<Value> {
  get(): Promise<Value>;
  /** It has changed: the next look reads again. */
  forget(): void;
}

/** What is read at most once in a while, by the machine's time, and shared by all who ask meanwhile. */
export function createRefreshed<Value>(deps: {
  readonly load: () => Promise<Value>;
  readonly ttlMs: number;
  readonly elapsedMs: () => number;
}): Refreshed<Value> {
  let loading: Promise<Value> | undefined;
  let loadedAtMs = 0;
  return {
    async get() {
      if (loading === undefined || deps.elapsedMs() - loadedAtMs > deps.ttlMs) {
        loadedAtMs = deps.elapsedMs();
        const mine = deps.load();
        loading = mine;
        mine.catch(() => {
          if (loading === mine) loading = undefined;
        });
      }
      return loading;
    },
    forget() {
      loading = undefined;
    },
  };
}
