import type { Stage } from '../../http/endpoint/exchange.ts';
import { actAs } from '../../store/admin/acting.ts';
import type { OperatorCaller } from '../session/authorize.ts';

/** The stage after which all that is done stands in the audit log under who asked, and from where. */
export const asCaller: Stage<OperatorCaller> = ({ request, caller }, next) =>
  actAs({ actor: actorOf(caller), address: request.address }, next);

/** How the audit log names who asks. */
export function actorOf(caller: Pick<OperatorCaller, 'operatorId' | 'portal'> | undefined): string {
  return caller?.portal === undefined ? (caller?.operatorId ?? 'operator') : 'portal';
}
