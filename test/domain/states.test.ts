import { describe, expect, it } from 'vitest';
import {
  attemptMoves,
  attemptStates,
  isFinal,
  paymentMoves,
  paymentStates,
} from '../../src/domain/states.ts';

type Moves = Readonly<Record<string, readonly string[]>>;

/** Every state that can be reached, in any number of moves. */
function reachable(moves: Moves, from: string): ReadonlySet<string> {
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

describe.each([
  ['payment', paymentStates, paymentMoves as Moves, 'scheduled'],
  ['attempt', attemptStates, attemptMoves as Moves, 'checking'],
] as const)('the moves of a %s', (_, states, moves, first) => {
  it('name every state, and none besides', () => {
    expect(Object.keys(moves).sort()).toEqual([...states].sort());
    expect(states).toEqual(expect.arrayContaining(Object.values(moves).flat()));
  });

  it('lead from the first state to every other', () => {
    const others = states.filter((state) => state !== first);
    expect([...reachable(moves, first)]).toEqual(expect.arrayContaining(others));
  });

  it('lead from every state that is not final to a final one', () => {
    for (const state of states) {
      if (moves[state]?.length === 0) continue;
      const ends = [...reachable(moves, state)].filter((next) => moves[next]?.length === 0);
      expect(ends).not.toEqual([]);
    }
  });
});

it('a payment is final once it is recovered, stopped or exhausted', () => {
  expect(paymentStates.filter(isFinal)).toEqual(['recovered', 'stopped', 'exhausted']);
});

it('an attempt is checked once: a charge never leads back to a check', () => {
  expect(Object.values(attemptMoves).flat()).not.toContain('checking');
});

it('an unknown charge can be resolved every way, and never be sent again', () => {
  expect([...attemptMoves.unknown].sort()).toEqual(['declined', 'not_attempted', 'succeeded']);
});
