import { present } from '../../domain/present.ts';
import type { KeysReport, RotationStore, WrappingKeyView } from './key-ports.ts';

/** The wrapping keys of this process and of the database, and whether one may be removed. */
export async function showKeys(
  deps: { readonly rotations: Pick<RotationStore, 'latest' | 'countWrapped'> },
  known: { readonly keyId: string; readonly others: readonly string[] },
): Promise<KeysReport> {
  const rotation = await deps.rotations.latest();
  const wrapped = new Map(
    (await deps.rotations.countWrapped()).map(({ keyId, count }) => [keyId, count]),
  );
  const ids = [...new Set([known.keyId, ...known.others, ...wrapped.keys()])];
  const keys = ids.map((keyId) => {
    const use = useOf(keyId, known);
    const wraps = wrapped.get(keyId) ?? 0;
    const removable = use === 'other' && wraps === 0 && rotation?.state !== 'running';
    return { keyId, use, wraps, removable };
  });
  return { keys, ...present({ rotation }) };
}

function useOf(
  keyId: string,
  known: { keyId: string; others: readonly string[] },
): WrappingKeyView['use'] {
  if (keyId === known.keyId) return 'current';
  return known.others.includes(keyId) ? 'other' : 'unknown';
}
