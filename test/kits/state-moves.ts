/** Which state may follow which, as the tables of `src/domain/states.ts` have it. */
export type Moves = Readonly<Record<string, readonly string[]>>;

/** Every state that can be reached, in any number of moves. */
export function reachable(moves: Moves, from: string): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [from];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    for (const next of moves[state] ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
}

/** The moves `from --> to` of a diagram; those from and to its ends, `[*]`, aside. */
export function drawnMoves(diagram: string): readonly string[] {
  return [...diagram.matchAll(/^ *(\w+) --> (\w+)/gm)].map(([, from, to]) => `${from} ${to}`);
}
