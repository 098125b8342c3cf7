import type { Stage } from '../../http/endpoint/exchange.ts';
import { actAs } from '../../store/admin/acting.ts';
import type { OperatorCaller } from '../session/authorize.ts';

/** The stage after which all that is done stands in the audit log under who asked, and from where. */
export const asCaller: Stage<OperatorCaller> = ({ request, caller }, next) =>
  actAs({ actor: caller?.operatorId ?? 'operator', address: request.address }, next);
