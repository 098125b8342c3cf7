import type { FastifyRequest } from 'fastify';
import { errorForLog } from '../../http/server/error-for-log.ts';
import { allMerchants } from '../../recovery/learned/model-ports.ts';
import { actAs } from '../../store/admin/acting.ts';
import { appendAudit } from '../../store/admin/audit-log.ts';
import type { OperatorDeps } from '../operator-deps.ts';

/** What is noted of signing in and out. */
export type SignInAction =
  | 'operator.signed_in'
  | 'operator.signed_out'
  | 'operator.token_refused'
  | 'operator.sign_in_refused'
  | 'portal.opened'
  | 'portal.left';

/**
 * A line of the audit log about somebody at the door: from where, and never what they gave. A log that
 * cannot be written turns nobody away, and lets nobody in.
 */
export async function noteSignIn(
  deps: Pick<OperatorDeps, 'db' | 'now' | 'log'>,
  input: {
    readonly action: SignInAction;
    readonly request: FastifyRequest;
    /** Absent: of the one token, or of nobody. */
    readonly actor?: string;
    readonly detail?: Readonly<Record<string, string | number>>;
    /** Whose portal it is about. */
    readonly merchantId?: string;
  },
): Promise<void> {
  const { action, request, detail = {} } = input;
  const isRefused = action === 'operator.token_refused' || action === 'operator.sign_in_refused';
  const actor = isRefused ? 'unknown' : (input.actor ?? 'operator');
  const entry = { action, detail, at: deps.now() };
  try {
    await actAs({ actor, address: request.address }, () =>
      appendAudit(deps.db, input.merchantId ?? allMerchants, entry),
    );
  } catch (error) {
    deps.log.error({ action, error: errorForLog(error) }, 'the audit log was not written');
  }
}
