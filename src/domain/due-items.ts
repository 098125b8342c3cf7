/** What a claim took of the rows that were due. */
export interface DueItems<Item> {
  readonly items: readonly Item[];
  /** Nothing else was due: neither the limit nor a merchant's share cut it off. */
  readonly isAll: boolean;
}
