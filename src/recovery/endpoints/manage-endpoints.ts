import { addMs, type Clock } from '../../domain/clock.ts';
import { AppError } from '../../domain/errors.ts';
import { newId } from '../../domain/ids.ts';
import { newSigningSecret } from '../../domain/key-text.ts';
import { present } from '../../domain/present.ts';
import type { Random } from '../../domain/random.ts';
import {
  maxFurtherEndpoints,
  type WebhookEndpoint,
} from '../../domain/webhooks/webhook-endpoint.ts';
import { originOf } from '../admin/change-merchant.ts';
import type { CheckMerchantUrl } from '../admin/ports.ts';
import { checkEndpoint } from './check-endpoint.ts';
import type {
  EndpointChange,
  EndpointKey,
  EndpointStore,
  NewEndpoint,
  OpenedEndpoint,
  SignedEndpoint,
  StoredEndpointSecrets,
} from './endpoint-ports.ts';

export interface ManageEndpointDeps {
  readonly store: EndpointStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly checkMerchantUrl: CheckMerchantUrl;
  /** Tells this process's readers that an endpoint changed. */
  forget(key: EndpointKey): void;
}

/** How often a change is made anew because another one came first. */
const maxTurns = 3;
/** Valid signing secrets at once: each adds a signature to each webhook. */
const maxSecrets = 10;

/** @throws AppError invalid_request, merchant_url_refused, not_found, conflict */
export async function createEndpoint(
  deps: ManageEndpointDeps,
  input: NewEndpoint,
): Promise<SignedEndpoint> {
  const { merchantId, auth, ...settings } = input;
  const headers = (await checkEndpoint(deps, input, auth.type)) ?? {};
  const key = { merchantId, endpointId: newId(deps.random, 'ept') };
  const signingSecret = newSigningSecret(deps.random);
  const { eventTypes } = settings;
  const detail = { endpoint_id: key.endpointId, event_types: [...eventTypes], auth: auth.type };
  const endpoint = await deps.store.insert({
    key,
    settings,
    secrets: { auth, headers, signingSecrets: [{ text: signingSecret }] },
    most: maxFurtherEndpoints,
    audit: { action: 'endpoint.created', detail, at: deps.clock.now() },
  });
  if (endpoint === 'no_merchant') throw new AppError('not_found', 'There is no such merchant.');
  if (endpoint === 'too_many') {
    const most = `A merchant can have at most ${maxFurtherEndpoints} endpoints besides its first one.`;
    throw new AppError('conflict', `${most} Remove one that is not needed.`);
  }
  deps.forget(key);
  return { endpoint, signingSecret };
}

/** @throws AppError invalid_request, merchant_url_refused, merchant_auth_needed, conflict */
export async function changeEndpoint(
  deps: ManageEndpointDeps,
  key: EndpointKey,
  change: EndpointChange,
): Promise<WebhookEndpoint | undefined> {
  return await inTurns(deps, key, async ({ endpoint, secrets }) => {
    refuseOtherServer(endpoint, change);
    const headers = await checkEndpoint(deps, change, change.auth?.type ?? endpoint.authType);
    const { auth, headers: _, ...settings } = change;
    const isSealedAnew = auth !== undefined || headers !== undefined;
    const changed = Object.keys(present({ ...settings, auth, headers }));
    return {
      action: 'endpoint.changed',
      detail: { changed },
      settings,
      ...(isSealedAnew && { secrets: { ...secrets, ...present({ auth, headers }) } }),
    };
  });
}

/** The present secrets end after `overlapMs`, unless they end sooner; until then they sign as well. */
export async function rotateEndpointSecret(
  deps: ManageEndpointDeps,
  key: EndpointKey,
  overlapMs: number,
): Promise<SignedEndpoint | undefined> {
  const text = newSigningSecret(deps.random);
  const endpoint = await inTurns(deps, key, async ({ secrets }) => {
    const now = deps.clock.now();
    const end = addMs(now, overlapMs).toISOString();
    const kept = secrets.signingSecrets
      .map((secret) => ({ ...secret, endsAt: sooner(secret.endsAt, end) }))
      .filter(({ endsAt }) => Date.parse(endsAt) > now.getTime())
      .slice(0, maxSecrets - 1);
    return {
      action: 'endpoint.secret_rotated',
      detail: { overlap_ms: overlapMs },
      settings: {},
      secrets: { ...secrets, signingSecrets: [{ text }, ...kept] },
    };
  });
  return endpoint && { endpoint, signingSecret: text };
}

export async function removeEndpoint(deps: ManageEndpointDeps, key: EndpointKey): Promise<boolean> {
  const detail = { endpoint_id: key.endpointId };
  const audit = { action: 'endpoint.removed', detail, at: deps.clock.now() };
  const isRemoved = await deps.store.remove({ key, audit });
  deps.forget(key);
  return isRemoved;
}

interface Turn {
  readonly action: string;
  readonly detail: Readonly<Record<string, string[] | number>>;
  readonly settings: Parameters<EndpointStore['change']>[0]['settings'];
  readonly secrets?: StoredEndpointSecrets;
}

/** Decides a change on what is there, and again where that is no longer so when it is written. */
async function inTurns(
  deps: ManageEndpointDeps,
  key: EndpointKey,
  decide: (opened: OpenedEndpoint) => Promise<Turn>,
): Promise<WebhookEndpoint | undefined> {
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const opened = await deps.store.open(key);
    if (opened === undefined) return undefined;
    const { action, detail, ...change } = await decide(opened);
    const changed = await deps.store.change({
      key,
      ...change,
      readAt: opened.endpoint.updatedAt,
      audit: {
        action,
        detail: { endpoint_id: key.endpointId, ...detail },
        at: deps.clock.now(),
      },
    });
    if (changed === 'changed') continue;
    deps.forget(key);
    return changed;
  }
  throw new AppError('conflict', 'Somebody else is changing the endpoint.');
}

/** As for a merchant's own addresses: stored credentials and headers never go to another server. */
function refuseOtherServer(kept: WebhookEndpoint, change: EndpointChange): void {
  if (change.url === undefined || originOf(change.url) === originOf(kept.url)) return;
  const lacksAuth = kept.authType !== 'none' && change.auth === undefined;
  const lacksHeaders = kept.headerNames.length > 0 && change.headers === undefined;
  if (lacksAuth || lacksHeaders) throw new AppError('merchant_auth_needed');
}

function sooner(one: string | undefined, other: string): string {
  return one !== undefined && Date.parse(one) < Date.parse(other) ? one : other;
}
