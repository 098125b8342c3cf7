import type { StripeObject } from './objects.ts';
import type { StripeWorld } from './world.ts';

/** A copy of an object with the ids at these paths replaced by what they name. */
export function expanded(world: StripeWorld, value: unknown, paths: readonly string[]): unknown {
  const copy = structuredClone(value) as Record<string, unknown>;
  for (const path of paths) withPayments(world, copy, path);
  for (const path of paths) expandAt(world, copy, path.split('.'));
  return copy;
}

/** An invoice shows its payments only where they are asked for. */
function withPayments(world: StripeWorld, copy: Record<string, unknown>, path: string): void {
  if (copy.object !== 'invoice' || path.split('.')[0] !== 'payments') return;
  const data = world.paymentsOf((copy as StripeObject).id).map((item) => structuredClone(item));
  copy.payments = { object: 'list', data, has_more: false };
}

function expandAt(world: StripeWorld, at: unknown, path: readonly string[]): void {
  const [key, ...rest] = path;
  if (key === undefined || typeof at !== 'object' || at === null) return;
  if (Array.isArray(at)) {
    for (const item of at) expandAt(world, item, path);
    return;
  }
  const holder = at as Record<string, unknown>;
  const value = holder[key];
  if (typeof value === 'string') {
    holder[key] = structuredClone(world.objects.get(value)) ?? value;
  }
  expandAt(world, holder[key], rest);
}
