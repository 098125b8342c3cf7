/** A column that grows. */
export interface Column<Numbers> {
  push(value: number): void;
  length(): number;
  /** The numbers, and no more room than they need. */
  finish(): Numbers;
}

interface NumbersOf<Numbers> {
  new (length: number): Numbers;
}

interface Growable {
  [at: number]: number;
  readonly length: number;
  set(from: ArrayLike<number>): void;
}

const firstRoom = 1 << 14;

/** A column of a typed array, whose room doubles when it is full. */
export function createColumn<
  Numbers extends Growable & { slice(from: number, to: number): Numbers },
>(of: NumbersOf<Numbers>): Column<Numbers> {
  let room = new of(firstRoom);
  let count = 0;
  return {
    push(value) {
      if (count === room.length) {
        const larger = new of(room.length * 2);
        larger.set(room);
        room = larger;
      }
      (room as Growable)[count] = value;
      count += 1;
    },
    length: () => count,
    finish: () => room.slice(0, count),
  };
}

/** Numbers names from 0 in the order in which they come. */
export interface Names {
  numberOf(name: string): number;
  count(): number;
  all(): readonly string[];
}

export function createNames(): Names {
  const numbers = new Map<string, number>();
  return {
    numberOf(name) {
      const known = numbers.get(name);
      if (known !== undefined) return known;
      // A piece of a larger text keeps all of it in memory; a copy keeps itself.
      numbers.set(Buffer.from(name).toString(), numbers.size);
      return numbers.size - 1;
    },
    count: () => numbers.size,
    all: () => [...numbers.keys()],
  };
}
