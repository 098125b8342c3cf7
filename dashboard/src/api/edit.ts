import type { UseMutationResult } from '@tanstack/react-query';
import { send } from './request.ts';
import { type Stale, useChange } from './use-change.ts';

type Members = Readonly<Record<string, unknown>>;

/** What a person changes of something that there is. */
export interface Edit {
  /** As it was when the person began, in the API's names. */
  readonly begun: object;
  /** The members that the person changed, and no others. */
  readonly change: object;
}

/** What was changed by somebody else in the meantime, and how it stands now. */
export class ChangedMeanwhile extends Error {
  readonly kept: object;
  /** By the API's names, as `policy.window_days`. */
  readonly fields: readonly { readonly field: string; readonly value: unknown }[];

  constructor(kept: object, fields: ChangedMeanwhile['fields']) {
    super(
      'Somebody else changed this meanwhile, so nothing is saved yet. Press again to replace theirs, or Cancel to keep it:',
    );
    this.name = 'ChangedMeanwhile';
    this.kept = kept;
    this.fields = fields;
  }
}

/**
 * Sends what a person changed, so that the rest stays as others have it. A member that somebody else
 * set to something else since the person began is refused, and what is shown read again.
 */
export function useEdit<Kept extends object>(
  path: string,
  read: () => Promise<Kept | undefined>,
  stale: Stale,
): UseMutationResult<Kept, Error, Edit> {
  const edit = async ({ begun, change }: Edit): Promise<Kept> => {
    // One that is gone is refused by what is sent.
    const kept = (await read()) ?? begun;
    const moved = movedOf(begun as Members, kept as Members, change as Members);
    if (moved.length > 0) throw new ChangedMeanwhile(kept, moved);
    return await send<Kept>('PATCH', path, change);
  };
  return useChange(edit, { ...stale, afterRefusal: true });
}

/** The members of a form's body that are not as the form began with; of its objects each by itself. */
export function changesOf(begun: object, now: object): object {
  const before = begun as Members;
  const changed = Object.entries(now).flatMap(([name, value]) => {
    const old = before[name];
    if (!isObject(old) || !isObject(value)) return isSame(old, value) ? [] : [[name, value]];
    const inside = changesOf(old, value);
    return Object.keys(inside).length === 0 ? [] : [[name, inside]];
  });
  return Object.fromEntries(changed);
}

function movedOf(begun: Members, kept: Members, change: Members, at = ''): Moved {
  return Object.entries(change).flatMap(([name, mine]) => {
    const [before, value] = [begun[name], kept[name]];
    const field = `${at}${name}`;
    if (isObject(mine) && isObject(before) && isObject(value)) {
      return movedOf(before, value, mine, `${field}.`);
    }
    return isSame(before, value) || isSame(value, mine) ? [] : [{ field, value }];
  });
}

type Moved = ChangedMeanwhile['fields'];

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A form says that there is none by an empty text or 0 where the API leaves the member out. */
function isSame(one: unknown, other: unknown): boolean {
  const isNone = (value: unknown) => value === undefined || value === '' || value === 0;
  if (one === undefined || other === undefined) return isNone(one) && isNone(other);
  return JSON.stringify(one) === JSON.stringify(other);
}
