import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import type { MerchantJson, MerchantMoveJson } from './generated/merchants.ts';
import { get } from './request.ts';
import { type SessionView, sessionKey } from './session.ts';

export interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly next_cursor?: string;
}

const maxPageSize = 200;
/** Beyond these a list to choose from helps nobody: the address takes any id. */
const maxPages = 5;

/** A merchant as it is chosen and named. */
export type NamedMerchant = Pick<MerchantJson, 'id' | 'name' | 'time_zone'>;

/** The merchants with their settings, by name. */
export function useMerchantList(isWanted = true): UseQueryResult<readonly MerchantJson[]> {
  return useQuery({
    queryKey: ['merchants'],
    queryFn: readMerchants,
    staleTime: 60_000,
    enabled: isWanted,
  });
}

/** The merchants to choose from, by name; in a portal its own alone. */
export function useMerchants(): { readonly data: readonly NamedMerchant[] | undefined } {
  const { portal, data } = useListUnlessPortal();
  return { data: portal === undefined ? data : [portal.merchant] };
}

/** A portal may not list merchants. */
function useListUnlessPortal() {
  const portal = useQueryClient().getQueryData<SessionView | null>(sessionKey)?.portal;
  const { data } = useMerchantList(portal === undefined);
  return { portal, data };
}

/** A merchant by its name; by its id until the names are there. */
export function useMerchantName(merchantId: string): string {
  return useMerchants().data?.find(({ id }) => id === merchantId)?.name ?? merchantId;
}

/** A merchant's way to another cell; undefined while it is here and stays. */
export function useMerchantMove(merchantId: string): MerchantMoveJson | undefined {
  return useListUnlessPortal().data?.find(({ id }) => id === merchantId)?.move;
}

async function readMerchants(): Promise<readonly MerchantJson[]> {
  const found: MerchantJson[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await get<PageOf<MerchantJson>>('/api/merchants', {
      limit: maxPageSize,
      cursor,
    });
    found.push(...answer.items);
    cursor = answer.next_cursor;
    if (cursor === undefined) break;
  }
  return found.sort((a, b) => a.name.localeCompare(b.name));
}
