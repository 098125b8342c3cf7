import type { Seeded } from '../../test/kits/seeded.ts';

/** Values that answers showed, by the name of their field: what later requests ask for by that name. */
export interface Remembered {
  learn(answer: unknown): void;
  /** One of those called so; undefined where none was seen. */
  recall(random: Seeded, name: string): string | undefined;
}

const keptOfEach = 200;
const longest = 200;
/** Fields whose values name things, also in requests. */
const telling = /(?:^|_)(?:id|key|cursor|day|psp|batch|since|from|to)$/;

export function createRemembered(): Remembered {
  const values = new Map<string, string[]>();
  return {
    learn: (answer) => visit(answer, 'id'),
    recall(random, name) {
      const known = values.get(name) ?? [];
      return known.length === 0 ? undefined : known[random.int(0, known.length - 1)];
    },
  };

  function visit(value: unknown, name: string): void {
    if (Array.isArray(value)) {
      for (const each of value) visit(each, name);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, each] of Object.entries(value)) visit(each, key);
    } else if (typeof value === 'string' && value.length <= longest && telling.test(name)) {
      keep(name, value);
      // A list's cursor is asked for by another name.
      if (name === 'next_cursor') keep('cursor', value);
    }
  }

  function keep(name: string, value: string): void {
    const known = values.get(name) ?? [];
    if (known.includes(value)) return;
    known.push(value);
    if (known.length > keptOfEach) known.shift();
    values.set(name, known);
  }
}
