import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../domain/errors.ts';
import { newId } from '../../domain/ids.ts';
import type { Random } from '../../domain/random.ts';
import type { SignedIn } from './people-api.ts';

/** Of one operator: more than anybody finds again in a list. */
export const maxViews = 50;

/** An address of the dashboard, with its filters, by a name. */
export interface SavedView {
  readonly viewId: string;
  /** The operator's id, or `operator` for the holder of the one token. */
  readonly ownerId: string;
  readonly name: string;
  readonly path: string;
  /** That the address names. */
  readonly merchantId?: string;
  /** Others see it too. */
  readonly isShared: boolean;
  readonly createdAt: Date;
}

export interface SavedViewStore {
  /** Those of the owner, and of shared ones all, or those that name one of the merchants. */
  list(of: {
    readonly ownerId: string;
    readonly merchants?: readonly string[] | undefined;
  }): Promise<readonly SavedView[]>;
  /** One of the owner's of the same name is replaced. */
  save(view: SavedView, max: number): Promise<'too_many' | SavedView>;
  /** Of the owner; or of anybody, where it is shared. */
  remove(of: {
    readonly viewId: string;
    readonly ownerId: string;
    readonly orShared: boolean;
  }): Promise<boolean>;
}

/** Views that operators keep. */
export interface SavedViewsApi {
  list(by: SignedIn): Promise<readonly SavedView[]>;
  /** @throws AppError conflict for one too many */
  save(
    by: SignedIn,
    view: Pick<SavedView, 'name' | 'path' | 'merchantId' | 'isShared'>,
  ): Promise<SavedView>;
  /** One's own, or as an administrator of all merchants a shared one. False: there is none. */
  remove(by: SignedIn, viewId: string): Promise<boolean>;
}

export function createSavedViews(deps: {
  readonly store: SavedViewStore;
  readonly machine: Clock;
  readonly random: Random;
}): SavedViewsApi {
  const { store, machine, random } = deps;
  return {
    list: (by) => store.list({ ownerId: ownerOf(by), merchants: by.merchants }),
    async save(by, view) {
      const viewId = newId(random, 'svw');
      const whole = { ...view, viewId, ownerId: ownerOf(by), createdAt: machine.now() };
      const saved = await store.save(whole, maxViews);
      if (saved !== 'too_many') return saved;
      throw new AppError(
        'conflict',
        `You already have the maximum of ${maxViews} views. Remove one first.`,
      );
    },
    remove: (by, viewId) =>
      store.remove({
        viewId,
        ownerId: ownerOf(by),
        orShared: by.role === 'administrator' && by.merchants === undefined,
      }),
  };
}

export function ownerOf({ operatorId = 'operator' }: SignedIn): string {
  return operatorId;
}
