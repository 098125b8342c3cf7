import type { Stage } from '../../http/endpoint/exchange.ts';
import { actAs } from '../../store/admin/acting.ts';

/** The stage after which all that is done stands in the audit log under who asked, and from where. */
export const asCaller: Stage = ({ request }, next) =>
  actAs({ actor: 'operator', address: request.ip }, next);
