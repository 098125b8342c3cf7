/**
 * Does the work of all items, of so many at the same time, each begun in its turn. Where one fails, no further one is
 * begun, and those under way have ended before the failure is told: nothing of it goes on beside the next try.
 */
export async function sideBySide<Item>(
  items: readonly Item[],
  together: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const failures: unknown[] = [];
  const lane = async () => {
    for (const item of queue) {
      await work(item).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: together }, lane));
  if (failures.length > 0) throw failures[0];
}
