import { expect, it } from 'vitest';
import { inTurn } from '../../../src/store/pool/in-turn.ts';

it('asks one statement after the other, and goes on after one that failed', async () => {
  const told: string[] = [];
  let running = 0;
  const turns = inTurn({
    async query({ name }) {
      running += 1;
      told.push(`${name} beside ${running - 1}`);
      await new Promise(setImmediate);
      running -= 1;
      if (name === 'second') throw new Error('it broke');
      return [name] as never[];
    },
  });
  const asked = ['first', 'second', 'third'].map((name) => turns.query({ name, text: '' }, []));
  const answers = await Promise.allSettled(asked);
  expect(told).toEqual(['first beside 0', 'second beside 0', 'third beside 0']);
  expect(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : 'failed')),
  ).toEqual([['first'], 'failed', ['third']]);
});
