import { inOrderOfScopes } from '../../domain/access/scopes.ts';
import { addMs, type Clock, dayMs } from '../../domain/clock.ts';
import { AppError } from '../../domain/errors.ts';
import { newId } from '../../domain/ids.ts';
import { hintOf, hintText, newKeyText, newSigningSecret } from '../../domain/key-text.ts';
import { present } from '../../domain/present.ts';
import type { Random } from '../../domain/random.ts';
import type { CredentialKind, IssuedCredential, WantedCredential } from '../operator-api.ts';
import type { AdminStore, NewCredential } from './ports.ts';

/**
 * Valid credentials of one kind at once. A rotation needs two; the rest is room for a key per
 * system. Every valid signing secret also adds a signature to each webhook.
 */
const maxValid = 10;
/** Longest overlap of a rotation. */
const maxOverlapMs = 90 * dayMs;

export interface CredentialDeps {
  readonly store: AdminStore;
  readonly clock: Clock;
  readonly random: Random;
  /** `test` in the sandbox: it marks the keys, so that nobody takes one for the other. */
  readonly keyMode: 'test' | 'live';
  /** Where there are several cells, the one that this is. */
  readonly cell?: string | undefined;
  /** Tells this process's readers of merchants that something changed. */
  readonly directory: { forget(merchantId: string): void };
}

export function newCredential(
  deps: Pick<CredentialDeps, 'random' | 'keyMode' | 'cell'>,
  kind: CredentialKind,
  createdAt: Date,
): NewCredential {
  return {
    credentialId: newId(deps.random, 'cred'),
    kind,
    text: newText(deps, kind),
    createdAt,
  };
}

function newText(
  deps: Pick<CredentialDeps, 'random' | 'keyMode' | 'cell'>,
  kind: CredentialKind,
): string {
  switch (kind) {
    case 'recovery_api_key':
      return newKeyText(deps.random, `rk_${deps.keyMode}`, deps.cell);
    case 'disputes_password':
      return newKeyText(deps.random, 'dp', deps.cell);
    case 'signing_secret':
      return newSigningSecret(deps.random);
  }
}

/**
 * Issues a credential beside the present ones. With `overlapMs` it is a rotation: the present ones
 * of its kind end after that time (0: at once), unless they end sooner. A new signing secret signs
 * from now on, and the old ones sign along in the Standard Webhooks header until they end.
 *
 * @throws AppError invalid_request for an overlap outside 0 to 90 days, and for a signing secret with what
 * only keys have; not_found for one to replace that is not there; conflict for an eleventh valid
 * credential of the kind
 */
export async function issueCredential(
  deps: CredentialDeps,
  input: {
    readonly merchantId: string;
    readonly wanted: WantedCredential & { readonly replaces?: string };
    readonly overlapMs?: number;
  },
): Promise<IssuedCredential | undefined> {
  const { merchantId, wanted, overlapMs } = input;
  const { kind, replaces } = wanted;
  checkWanted(wanted);
  if (overlapMs !== undefined) checkOverlap(overlapMs);
  const at = deps.clock.now();
  const credential = { ...newCredential(deps, kind, at), ...asWanted(wanted, at) };
  const endOthersAt = overlapMs === undefined ? undefined : new Date(at.getTime() + overlapMs);
  const outcome = await deps.store.addCredential({
    merchantId,
    credential,
    maxOthers: maxValid - 1,
    ...present({ endOthersAt, replaces }),
    audit: {
      action: endOthersAt === undefined ? 'credential.issued' : 'credential.rotated',
      detail: {
        credential_id: credential.credentialId,
        kind,
        ...present({
          replaces,
          others_end_at: endOthersAt?.toISOString(),
          expires_at: credential.expiresAt?.toISOString(),
        }),
      },
      at,
    },
  });
  switch (outcome) {
    case 'no_merchant':
      return undefined;
    case 'too_many':
      throw new AppError(
        'conflict',
        `The merchant already has the maximum of ${maxValid} valid credentials of the kind ${kind}. Revoke one first.`,
      );
    case 'nothing_to_replace':
      throw new AppError(
        'not_found',
        'The merchant has no valid credential with this kind and id.',
      );
    default:
      deps.directory.forget(merchantId);
      return { ...viewOf({ ...credential, ...outcome }), text: credential.text };
  }
}

function viewOf({ text, ...credential }: NewCredential) {
  return { ...credential, hint: hintText(hintOf(text)) };
}

function asWanted({ scopes, name, validMs }: WantedCredential, at: Date) {
  return present({
    scopes: scopes && inOrderOfScopes(scopes),
    name,
    expiresAt: validMs === undefined ? undefined : addMs(at, validMs),
  });
}

/** A secret signs for everybody who receives webhooks, and ends by being rotated. */
function checkWanted(wanted: WantedCredential & { readonly replaces?: string }): void {
  const { kind, scopes, name, validMs, replaces } = wanted;
  const given = [scopes, name, validMs, replaces].some((value) => value !== undefined);
  if (kind !== 'signing_secret' || !given) return;
  const detail = 'A signing secret has no scopes, name or end of its own, and replaces no other.';
  const action = 'Leave out scopes, name, valid_for and replaces; to replace it, rotate it.';
  throw new AppError('invalid_request', detail, { action });
}

function checkOverlap(overlapMs: number): void {
  if (Number.isInteger(overlapMs) && overlapMs >= 0 && overlapMs <= maxOverlapMs) return;
  throw new AppError('invalid_request', 'The overlap must be 0 to 90 days.');
}

/**
 * Ends a credential at once in this process, within a second in others.
 *
 * @throws AppError conflict for the last signing secret that has no end
 */
export async function revokeCredential(
  deps: CredentialDeps,
  input: { readonly merchantId: string; readonly credentialId: string },
): Promise<boolean> {
  const { merchantId, credentialId } = input;
  const outcome = await deps.store.endCredential({
    merchantId,
    credentialId,
    audit: {
      action: 'credential.revoked',
      detail: { credential_id: credentialId },
      at: deps.clock.now(),
    },
  });
  switch (outcome) {
    case 'not_there':
      return false;
    case 'last_signing_secret':
      throw new AppError(
        'conflict',
        'This is the last signing secret without an end date; without it webhooks could soon no longer be signed. Rotate it instead.',
      );
    case 'ended':
      deps.directory.forget(merchantId);
      return true;
  }
}
