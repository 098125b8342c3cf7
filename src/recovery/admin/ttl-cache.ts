import type { Clock } from '../../domain/clock.ts';

interface Loaded<Value> {
  readonly value: Value;
  readonly loadedAtMs: number;
}

/**
 * Remembers what was loaded for `ttlMs`, by key. Concurrent askers share one load; a failed load is
 * remembered for nobody. What was looked for and not found is remembered apart, so that a flood of
 * unknown keys cannot push the known ones out.
 */
export class TtlCache<Value> {
  readonly #clock: Clock;
  readonly #load: (key: string) => Promise<Value | undefined>;
  readonly #ttlMs: number;
  readonly #max: number;
  readonly #found = new Map<string, Loaded<Value>>();
  readonly #absent = new Map<string, Loaded<undefined>>();
  readonly #loading = new Map<string, Promise<Value | undefined>>();

  /** `most` bounds the found and the absent entries each; the oldest leave first. */
  constructor(
    deps: { readonly clock: Clock; readonly load: (key: string) => Promise<Value | undefined> },
    input: { readonly ttlMs: number; readonly max: number },
  ) {
    this.#clock = deps.clock;
    this.#load = deps.load;
    this.#ttlMs = input.ttlMs;
    this.#max = input.max;
  }

  async get(key: string): Promise<Value | undefined> {
    const kept = this.#found.get(key) ?? this.#absent.get(key);
    if (kept !== undefined && this.#isFresh(kept.loadedAtMs)) return kept.value;
    return await (this.#loading.get(key) ?? this.#start(key));
  }

  /**
   * Drops what is kept under keys or with values that match. Loads on their way are kept for nobody
   * either: they may have read what was true before the change that this call follows.
   */
  forget(matches: (key: string, value: Value) => boolean): void {
    this.#loading.clear();
    this.#absent.clear();
    for (const [key, { value }] of this.#found) {
      if (matches(key, value)) this.#found.delete(key);
    }
  }

  #start(key: string): Promise<Value | undefined> {
    // Its age counts from the beginning: what it reads may change while it is on its way.
    const loadedAtMs = this.#clock.now().getTime();
    const load = this.#load(key).then(
      (value) => {
        if (this.#loading.get(key) === load) this.#keep(key, value, loadedAtMs);
        return value;
      },
      (error: unknown) => {
        if (this.#loading.get(key) === load) this.#loading.delete(key);
        throw error;
      },
    );
    this.#loading.set(key, load);
    return load;
  }

  #keep(key: string, value: Value | undefined, loadedAtMs: number): void {
    this.#loading.delete(key);
    this.#found.delete(key);
    this.#absent.delete(key);
    if (value === undefined) put(this.#absent, key, { value, loadedAtMs }, this.#max);
    else put(this.#found, key, { value, loadedAtMs }, this.#max);
  }

  #isFresh(loadedAtMs: number): boolean {
    const ageMs = this.#clock.now().getTime() - loadedAtMs;
    return ageMs >= 0 && ageMs < this.#ttlMs;
  }
}

function put<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.set(key, value);
  if (map.size <= max) return;
  const oldest = map.keys().next().value;
  if (oldest !== undefined) map.delete(oldest);
}
