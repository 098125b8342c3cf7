/**
 * Works on up to `maxWindow` items at once and gives the results in the items' order, each as soon
 * as it and those before it are there, also while the next item has yet to arrive. Neither `items`
 * nor `work` may throw. It ends after a result that `isLast` names, and asks for no more items then.
 */
export async function* inOrder<Item, Result>(
  items: AsyncGenerator<Item>,
  options: {
    readonly maxWindow: number;
    work(item: Item): Promise<Result>;
    isLast(result: Result): boolean;
  },
): AsyncGenerator<Result> {
  const waiting: Promise<Result>[] = [];
  let next: Promise<IteratorResult<Item, unknown>> | undefined = items.next();
  try {
    while (next !== undefined || waiting.length > 0) {
      const step = await firstOf(waiting.length < options.maxWindow ? next : undefined, waiting[0]);
      if (step.kind === 'result') {
        waiting.shift();
        yield step.result;
        if (options.isLast(step.result)) return;
      } else if (step.item.done === true) {
        next = undefined;
      } else {
        waiting.push(options.work(step.item.value));
        next = items.next();
      }
    }
  } finally {
    void items.return(undefined);
  }
}

type Step<Item, Result> =
  | { readonly kind: 'item'; readonly item: IteratorResult<Item, unknown> }
  | { readonly kind: 'result'; readonly result: Result };

async function firstOf<Item, Result>(
  next: Promise<IteratorResult<Item, unknown>> | undefined,
  result: Promise<Result> | undefined,
): Promise<Step<Item, Result>> {
  const steps: Promise<Step<Item, Result>>[] = [];
  if (next !== undefined) steps.push(next.then((item) => ({ kind: 'item', item })));
  if (result !== undefined) steps.push(result.then((given) => ({ kind: 'result', result: given })));
  return Promise.race(steps);
}
