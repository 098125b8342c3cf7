import type { PortalLink } from './portal-api.ts';

/** Links in the database. `at` is the time of the line of the audit log in the same transaction. */
export interface PortalStore {
  addLink(input: {
    readonly link: PortalLink;
    readonly hash: string;
    readonly max: number;
    readonly at: Date;
  }): Promise<'added' | 'no_merchant' | 'too_many'>;
  /** How many were valid. */
  removeLinks(input: {
    readonly merchantId: string;
    readonly now: Date;
    readonly at: Date;
  }): Promise<number | undefined>;
  /** Links end by `now`, and the keys that asked for them by the service's time. */
  findLink(
    hash: string,
    at: { readonly now: Date; readonly serviceNow: Date },
  ): Promise<PortalLink | undefined>;
  findEmbedOrigin(linkId: string, now: Date): Promise<string | undefined>;
  /** Whose valid recovery API key it is; its use is noted. */
  useKey(
    hash: string,
    now: Date,
  ): Promise<
    | { readonly merchantId: string; readonly credentialId: string; readonly mayRead: boolean }
    | undefined
  >;
}
