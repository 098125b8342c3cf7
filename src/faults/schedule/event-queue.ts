/** What happens at an instant of the simulated time, in milliseconds. */
export interface Timed {
  readonly atMs: number;
  /** Of two at one instant the lower one comes first. */
  readonly order: number;
}

/** A binary heap: the earliest comes out first. */
export interface EventQueue<Item extends Timed> {
  readonly size: number;
  push(item: Item): void;
  peek(): Item | undefined;
  pop(): Item | undefined;
}

export function createEventQueue<Item extends Timed>(): EventQueue<Item> {
  const heap: Item[] = [];

  function swap(one: number, other: number): void {
    const [a, b] = [heap[one], heap[other]];
    if (a === undefined || b === undefined) return;
    heap[one] = b;
    heap[other] = a;
  }

  function isBefore(one: number, other: number): boolean {
    const [a, b] = [heap[one], heap[other]];
    if (a === undefined || b === undefined) return false;
    return a.atMs === b.atMs ? a.order < b.order : a.atMs < b.atMs;
  }

  function rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!isBefore(at, parent)) return;
      swap(at, parent);
      at = parent;
    }
  }

  function sink(): void {
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const min = isBefore(right, left) ? right : left;
      if (!isBefore(min, at)) return;
      swap(min, at);
      at = min;
    }
  }

  return {
    get size() {
      return heap.length;
    },
    push(item) {
      heap.push(item);
      rise(heap.length - 1);
    },
    peek: () => heap[0],
    pop() {
      swap(0, heap.length - 1);
      const item = heap.pop();
      sink();
      return item;
    },
  };
}
