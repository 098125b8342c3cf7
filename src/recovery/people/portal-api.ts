import { addMs, type Clock } from '../../domain/clock.ts';
import { AppError } from '../../domain/errors.ts';
import { newId } from '../../domain/ids.ts';
import { isKeyText, newKeyText } from '../../domain/key-text.ts';
import type { Random } from '../../domain/random.ts';
import type { HashCredential } from '../admin/ports.ts';
import type { PortalStore } from './portal-store.ts';

/** Valid links of one merchant at once: one for each visit of a day, of a merchant with many people. */
export const maxPortalLinks = 1_000;

export interface PortalLink {
  readonly linkId: string;
  readonly merchantId: string;
  /** The origin of the one site that may show the portal in a frame. */
  readonly embedOrigin?: string;
  /** The API key that it was asked for with, and ends with; absent where an operator made it. */
  readonly credentialId?: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Shown once: the text cannot be read again. */
export interface IssuedPortalLink extends PortalLink {
  readonly text: string;
}

/** What a link is asked for with. */
export type NewPortalLink = Pick<PortalLink, 'merchantId' | 'embedOrigin' | 'credentialId'> & {
  readonly validMs: number;
};

/** What lets somebody into a merchant's portal: a link, or an API key of the merchant's own. */
export type PortalPass =
  | { readonly kind: 'link'; readonly link: PortalLink }
  | { readonly kind: 'key'; readonly merchantId: string; readonly credentialId: string };

/** Links to merchants' portals. Each act stands in the audit log of the merchant. */
export interface PortalApi {
  /**
   * Undefined: there is no such merchant.
   *
   * @throws AppError conflict for one link too many
   */
  createLink(input: NewPortalLink): Promise<IssuedPortalLink | undefined>;
  /** Ends every link of the merchant with its sessions; how many there were. Undefined: no such merchant. */
  revokeLinks(merchantId: string): Promise<number | undefined>;
  /** Undefined for a text that is wrong, over or revoked. */
  passByLink(text: string): Promise<PortalPass | undefined>;
  /**
   * Undefined for a key that is wrong, over or revoked.
   *
   * @throws AppError scope_missing for a key that may not read
   */
  passByKey(text: string): Promise<PortalPass | undefined>;
  /** Which site may frame the page of a link; undefined for none, and for a link that is none any more. */
  embedOriginOf(linkId: string): Promise<string | undefined>;
}

export interface PortalDeps {
  readonly store: PortalStore;
  /** Nobody moves it: links end by it, also in a sandbox whose time was moved. */
  readonly machine: Clock;
  /** The service's time, by which keys end and the audit log goes. */
  readonly clock: Clock;
  readonly random: Random;
  readonly hashCredential: HashCredential;
  readonly keyMode: 'test' | 'live';
  /** Where there are several cells, the one that this is. */
  readonly cell?: string | undefined;
}

export function createPortalApi(deps: PortalDeps): PortalApi {
  const { store, machine, clock, random, hashCredential } = deps;
  return {
    async createLink({ validMs, ...of }) {
      const text = newKeyText(random, `portal_${deps.keyMode}`, deps.cell);
      const createdAt = machine.now();
      const linkId = newId(random, 'plk');
      const expiresAt = addMs(createdAt, validMs);
      const link = { ...of, linkId, createdAt, expiresAt };
      const hash = hashCredential(text);
      switch (await store.addLink({ link, hash, max: maxPortalLinks, at: clock.now() })) {
        case 'added':
          return { ...link, text };
        case 'no_merchant':
          return undefined;
        case 'too_many': {
          const detail = `The merchant already has the maximum of ${maxPortalLinks} valid portal links. Revoke them first.`;
          throw new AppError('conflict', detail);
        }
      }
    },
    revokeLinks: (merchantId) =>
      store.removeLinks({ merchantId, now: machine.now(), at: clock.now() }),
    async passByLink(text) {
      // A mistyped or invented one is told by its checksum, without asking the database.
      if (!isKeyText(text, ['portal_test', 'portal_live'])) return undefined;
      const at = { now: machine.now(), serviceNow: clock.now() };
      const link = await store.findLink(hashCredential(text), at);
      return link && { kind: 'link', link };
    },
    async passByKey(text) {
      if (!isKeyText(text, ['rk_test', 'rk_live'])) return undefined;
      const key = await store.useKey(hashCredential(text), clock.now());
      if (key === undefined) return undefined;
      if (!key.mayRead) throw new AppError('scope_missing', 'The portal needs the scope read.');
      return { kind: 'key', merchantId: key.merchantId, credentialId: key.credentialId };
    },
    embedOriginOf: (linkId) => store.findEmbedOrigin(linkId, machine.now()),
  };
}
