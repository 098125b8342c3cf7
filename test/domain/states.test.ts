import { describe, expect, it } from 'vitest';
import {
  attemptMoves,
  attemptStates,
  incidentMoves,
  incidentStates,
  isFinal,
  paymentMoves,
  paymentStates,
} from '../../src/domain/states.ts';
import { readText } from '../kits/source-files.ts';
import { drawnMoves, type Moves, reachable } from '../kits/state-moves.ts';

/** The diagram below a heading of docs/states.md. */
function diagramOf(heading: string): string {
  const [, section = ''] = readText('docs/states.md').split(`\n## ${heading}\n`);
  const [, diagram = ''] = /```mermaid\n([^`]*)```/.exec(section.split('\n## ')[0] ?? '') ?? [];
  return diagram;
}

describe.each([
  ['payment', paymentStates, paymentMoves as Moves, 'scheduled'],
  ['attempt', attemptStates, attemptMoves as Moves, 'checking'],
  ['incident', incidentStates, incidentMoves as Moves, 'open'],
] as const)('the moves of a %s', (name, states, moves, first) => {
  it('name every state, and none besides', () => {
    expect(Object.keys(moves).sort()).toEqual([...states].sort());
    expect(states).toEqual(expect.arrayContaining(Object.values(moves).flat()));
  });

  it('are those that docs/states.md draws', () => {
    const heading = `${name[0]?.toUpperCase()}${name.slice(1)}`;
    const all = states.flatMap((from) => (moves[from] ?? []).map((to) => `${from} ${to}`));
    expect([...drawnMoves(diagramOf(heading))].sort()).toEqual(all.sort());
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

it('ARCHITECTURE.md draws moves of a payment that there are', () => {
  const [, diagram = ''] = /```mermaid\n([^`]*)```/.exec(readText('ARCHITECTURE.md')) ?? [];
  const moves = drawnMoves(diagram);
  expect(moves.length).toBeGreaterThan(5);
  const unknown = moves.filter((move) => {
    const [from = '', to = ''] = move.split(' ');
    return !(paymentMoves as Moves)[from]?.includes(to);
  });
  expect(unknown).toEqual([]);
});
