import { AppError } from '../../domain/errors.ts';
import { pspName, pspTitle } from '../../domain/psps/psp-name.ts';
import type { Psp } from '../../domain/psps.ts';
import type { PspConnectionKey } from '../engine/deps.ts';
import type { DisconnectedPsp, PspConnection, PspConnectionView } from '../operator-api.ts';
import type { PspGateway } from '../psp-ports.ts';
import { pspFaults } from './check-psps.ts';
import type { CredentialDeps } from './credentials.ts';
import type { ActionLog } from './ports.ts';
import { namedAccount, placeOf, type TestPspDeps, testConnection } from './psp-accounts.ts';

export interface PspConnectionDeps extends TestPspDeps, CredentialDeps {
  /** A gateway with the credentials that are kept. */
  readonly findGateway: (key: PspConnectionKey) => Promise<PspGateway | undefined>;
  readonly actions: Pick<ActionLog, 'noteAction'>;
}

/** How often a connection is judged anew because another change of it came first. */
const maxTurns = 3;

/**
 * Connects a PSP after it has been asked about the credentials. Those that it refuses are not kept;
 * when it cannot be reached they are, and the answer says that they were not tested. Where they open
 * another account than before, the answer says what is still open at that one.
 *
 * @throws AppError invalid_request, psp_credentials_refused, conflict
 */
export async function connectPsp(
  deps: PspConnectionDeps,
  input: { readonly merchantId: string; readonly connection: PspConnection },
): Promise<PspConnectionView | undefined> {
  const { merchantId, connection } = input;
  const { psp } = connection;
  const faults = pspFaults([connection], deps.supportedPsps);
  if (faults.length > 0) throw new AppError('invalid_request', faults.join(' '));
  if ((await deps.store.findMerchant(merchantId)) === undefined) return undefined;
  const tested = await testConnection(deps, connection);
  const { check } = tested;
  const checkedAt = deps.clock.now();
  const audit = { action: 'psp.connected', detail: { psp, tested: check.kind }, at: checkedAt };
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const kept = await deps.store.readPspConnections(merchantId);
    const placed = await placeOf(deps, tested, kept);
    const outcome = await deps.store.connectPsp({ merchantId, connection: placed, audit });
    if (outcome === 'changed') continue;
    if (outcome === 'no_merchant') return undefined;
    deps.directory.forget(merchantId);
    const { version, retired } = outcome;
    return { psp, check, checkedAt, mode: tested.mode, version, ...(retired && { retired }) };
  }
  throw new AppError('conflict', `Somebody else is changing the connection to ${pspName(psp)}.`);
}

/** Asks the PSP about the credentials that are kept; undefined where there is no connection. */
export async function testPsp(
  deps: PspConnectionDeps,
  key: PspConnectionKey,
): Promise<PspConnectionView | undefined> {
  const gateway = await deps.findGateway(key);
  if (gateway === undefined) return undefined;
  const check = await gateway.checkCredentials();
  const { psp, merchantId } = key;
  const checkedAt = deps.clock.now();
  const { accountId, mode } = namedAccount(gateway, check);
  const version = gateway.connection?.version ?? 1;
  if (check.kind === 'accepted') {
    const account = accountId === undefined ? {} : { account: accountId };
    await deps.store.namePspAccount({ merchantId, psp, version, mode, ...account });
  }
  const audit = { action: 'psp.tested', detail: { psp, tested: check.kind }, at: checkedAt };
  await deps.actions.noteAction({ merchantId, audit });
  return { psp, check, checkedAt, mode, version };
}

/**
 * Removes a connection. Payments that were to be charged there are postponed until it is connected
 * again, or their window ends. Its credentials stay sealed for the look-ups of charges that are open,
 * which the answer tells, and are destroyed then.
 *
 * @throws AppError conflict for the last connection
 */
export async function disconnectPsp(
  deps: PspConnectionDeps,
  input: { readonly merchantId: string; readonly psp: Psp },
): Promise<DisconnectedPsp | undefined> {
  const { merchantId, psp } = input;
  const at = deps.clock.now();
  const audit = { action: 'psp.disconnected', detail: { psp }, at };
  const outcome = await deps.store.disconnectPsp({ merchantId, psp, audit });
  if (outcome === 'not_there') return undefined;
  if (outcome === 'last_connection') {
    throw new AppError('conflict', `${pspTitle(psp)} is the merchant's last connection.`);
  }
  deps.directory.forget(merchantId);
  return { psp, ...outcome.retired };
}
