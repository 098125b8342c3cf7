import { expect, test } from 'vitest';
import { traceWork } from '../../../src/app/tracing/trace-work.ts';
import type { DueWork } from '../../../src/jobs/claim-loop.ts';
import { keepSpans } from '../../kits/kept-spans.ts';

const hold = { pause: () => undefined } as never;

test('an item is done within its span, and items of a group have one each', async () => {
  const tracing = keepSpans();
  const seen: (string | undefined)[] = [];
  const work = traceWork<string, Pick<DueWork<string>, 'run'>>(
    tracing,
    (item) => (item === 'untold' ? undefined : { name: item }),
    { run: async () => void seen.push(tracing.running()) },
  );
  await work.run(['a'], hold);
  await work.run(['b', 'untold', 'c'], hold);
  await work.run(['untold'], hold);
  expect(seen).toEqual(['a', 'a', 'a']);
  expect(tracing.spans.map(({ name, ends }) => [name, ends])).toEqual([
    ['a', 1],
    ['b', 1],
    ['c', 1],
  ]);
});

test('work that throws fails its span, and goes on throwing', async () => {
  const tracing = keepSpans();
  const work = traceWork<string, Pick<DueWork<string>, 'run'>>(tracing, (name) => ({ name }), {
    run: () => Promise.reject(new RangeError('of Jane')),
  });
  await expect(work.run(['a'], hold)).rejects.toThrow(RangeError);
  expect(tracing.spans).toMatchObject([{ failure: 'RangeError', ends: 1 }]);
});
