import { defaultTimeZone } from '../../domain/merchant.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorContext } from '../operator-deps.ts';

/** GET /api/session: what the dashboard has to know of the service. 401 where nobody signed in. */
export const showSession = defineEndpoint({
  method: 'GET',
  path: '/api/session',
  needs: { role: 'viewer', reach: 'nobody' },
  async answer(_asked, { caller, ...deps }: OperatorContext) {
    const common = { now: deps.now().toISOString(), sandbox: deps.clock !== undefined };
    const { portal } = caller;
    if (portal !== undefined) {
      const { merchantId: id, name, ...merchant } = await findMerchant(deps.db, portal.merchantId);
      const { timeZone: time_zone = defaultTimeZone } = merchant;
      const { linkId: link_id, endsAt } = portal;
      const ends_at = endsAt.toISOString();
      return contentAnswer({
        ...common,
        portal: present({ merchant: { id, name, time_zone }, ends_at, link_id }),
      });
    }
    const person =
      caller.operatorId === undefined ? undefined : await deps.people.find(caller.operatorId);
    const { operatorId: id, role, merchants } = caller;
    return contentAnswer({
      ...common,
      operator: present({ id, name: person?.name, role, merchants }),
    });
  },
});
