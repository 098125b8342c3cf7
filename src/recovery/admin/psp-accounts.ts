import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import { pspName, pspTitle } from '../../domain/psps/psp-name.ts';
import type { AccountMode, Psp } from '../../domain/psps.ts';
import { isStorableId } from '../../domain/truncated-text.ts';
import type { PspConnection, SupportedPsps } from '../operator-api.ts';
import type { CredentialsCheck, PspGateway } from '../psp-ports.ts';
import type { KeptPspConnection, PlacedConnection } from './psp-account-ports.ts';

export interface TestPspDeps {
  readonly supportedPsps: SupportedPsps;
  /** A gateway with credentials that are not kept yet; undefined for a PSP that is not supported. */
  readonly openGateway: (connection: PspConnection) => PspGateway | undefined;
  /** How far the sandbox's clock was moved ahead; 0 outside the sandbox. */
  readonly sandboxAheadMs: () => number;
}

/** Credentials, what their PSP said of them, and whose account they are, as far as anybody says. */
export interface TestedConnection {
  readonly connection: PspConnection;
  readonly check: CredentialsCheck;
  readonly accountId?: string;
  readonly mode: AccountMode;
}

/**
 * @throws AppError invalid_request for a PSP that is not supported, psp_credentials_refused,
 *   clock_not_movable for a live account where the sandbox's clock was moved
 */
export async function testConnection(
  deps: TestPspDeps,
  connection: PspConnection,
): Promise<TestedConnection> {
  const gateway = deps.openGateway(connection);
  if (gateway === undefined) {
    throw new AppError('invalid_request', `${pspTitle(connection.psp)} is not supported.`);
  }
  const check = await gateway.checkCredentials();
  if (check.kind === 'refused') {
    throw new AppError(
      'psp_credentials_refused',
      `${pspTitle(connection.psp)} says: ${check.reason}`,
    );
  }
  const named = namedAccount(gateway, check);
  refuseLiveAhead(deps, { psp: connection.psp, mode: named.mode });
  return { connection, check, ...named };
}

/**
 * Charges of real money are due and looked for by the time that the PSP has too: none is made by a
 * clock that was moved.
 */
function refuseLiveAhead(
  { sandboxAheadMs }: Pick<TestPspDeps, 'sandboxAheadMs'>,
  { psp, mode }: Pick<TestedConnection, 'mode'> & { readonly psp: Psp },
): void {
  if (isPretended(mode) || sandboxAheadMs() === 0) return;
  const words = mode === 'live' ? 'live' : 'not known to be one of a test mode';
  throw new AppError(
    'clock_not_movable',
    `The sandbox's clock was moved ahead, and the account at ${pspName(psp)} is ${words}.`,
  );
}

/** Whether no real money moves there. */
export function isPretended(mode: AccountMode): boolean {
  return mode === 'sandbox' || mode === 'test';
}

/**
 * The same for connections given with a merchant. Those without credentials are not asked.
 *
 * @throws AppError as `testConnection`
 */
export async function testConnections(
  deps: TestPspDeps,
  connections: readonly PspConnection[],
): Promise<readonly TestedConnection[]> {
  const tested: TestedConnection[] = [];
  for (const connection of connections) {
    if (Object.keys(connection.credentials).length > 0) {
      tested.push(await testConnection(deps, connection));
      continue;
    }
    const check = { kind: 'unreachable', reason: 'not asked' } as const;
    const gateway = deps.openGateway(connection);
    const named =
      gateway === undefined ? { mode: 'unknown' as const } : namedAccount(gateway, check);
    refuseLiveAhead(deps, { psp: connection.psp, mode: named.mode });
    tested.push({ connection, check, ...named });
  }
  return tested;
}

/** The account by the PSP's word, else by its credentials. */
export function namedAccount(
  gateway: PspGateway,
  check: CredentialsCheck,
): Pick<TestedConnection, 'accountId' | 'mode'> {
  const told = check.kind === 'accepted' ? check.accountId : undefined;
  const accountId = told ?? gateway.identity?.accountId;
  return {
    ...(accountId !== undefined && isStorableId(accountId) && { accountId }),
    mode: gateway.identity?.mode ?? 'unknown',
  };
}

/**
 * A connection as it is to be kept: under the version of the present one where both open the same
 * account for certain. Where nobody can say it counts as another, whose predecessor is asked about
 * the charges that were sent through it: too many accounts cost nothing, one too few a second charge.
 */
export async function placeOf(
  deps: TestPspDeps,
  tested: TestedConnection,
  kept: readonly KeptPspConnection[],
): Promise<PlacedConnection> {
  const { connection, accountId, mode } = tested;
  const standing = kept.find((other) => other.psp === connection.psp && other.isActive);
  const placed = { ...connection, mode, ...present({ account: accountId }) };
  if (standing === undefined) return placed;
  const isSame =
    isDeepStrictEqual(standing.credentials, connection.credentials) ||
    (await isSameAccount(deps, tested, standing));
  return isSame ? { ...placed, sameAs: standing.version } : placed;
}

async function isSameAccount(
  deps: TestPspDeps,
  { accountId, mode }: TestedConnection,
  standing: KeptPspConnection,
): Promise<boolean> {
  if (accountId === undefined) return false;
  const known = standing.account;
  const before =
    known !== undefined && standing.mode !== 'unknown'
      ? { accountId: known, mode: standing.mode }
      : await askedAccount(deps, standing);
  return before.accountId === accountId && before.mode === mode;
}

/** An account that was connected before accounts were named, asked by its own credentials. */
async function askedAccount(
  deps: TestPspDeps,
  standing: KeptPspConnection,
): Promise<Pick<TestedConnection, 'accountId' | 'mode'>> {
  const gateway = deps.openGateway(standing);
  if (gateway === undefined) return { mode: 'unknown' };
  return namedAccount(gateway, await gateway.checkCredentials());
}
