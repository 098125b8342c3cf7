import { domainToASCII, domainToUnicode } from 'node:url';
import { acceptAnalytics } from '../../disputes/accept-analytics.ts';
import { eraseCustomer } from '../../disputes/erase-customer.ts';
import { showAnalytics } from '../../disputes/show-analytics.ts';
import type { DomainNames } from '../../domain/analytics/check-email.ts';
import type { AnalyticsApi } from '../../http/disputes/caller.ts';
import { createAnalyticsStore } from '../../store/disputes/analytics-store.ts';
import { createMatchStore } from '../../store/disputes/matching/match-store.ts';
import { servingEach } from '../../store/wall/serving-each.ts';
import type { AppContext } from '../context.ts';
import type { MerchantModule } from '../merchant-module.ts';

/** Domain names as Node's URL reads them (UTS 46). */
export const domainNames: DomainNames = { toAscii: domainToASCII, toUnicode: domainToUnicode };

/** What merchants' calls of the disputes listener ask, joined with the store. */
export function createAnalyticsApi(
  context: Pick<AppContext, 'merchantDatabases' | 'clock' | 'random'>,
  merchants: Pick<MerchantModule, 'sealer'>,
): AnalyticsApi {
  const { clock, random } = context;
  const { served: db } = context.merchantDatabases;
  const analytics = createAnalyticsStore({ db, sealer: merchants.sealer, random });
  const matches = createMatchStore({ db });
  return servingEach<AnalyticsApi>({
    accept: (input) => acceptAnalytics({ analytics, domainNames, clock }, input),
    show: (input) => showAnalytics({ analytics, matches, clock }, input),
    eraseCustomer: (input) => eraseCustomer({ analytics, clock }, input),
  });
}
