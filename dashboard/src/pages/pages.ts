import type { Page } from '../state/page.ts';
import { alertsPage } from './alerts/page.ts';
import { designPage } from './design/page.ts';
import { disputesPage } from './disputes/page.ts';
import { incidentsPage } from './incidents/page.ts';
import { limitsPage } from './limits/page.ts';
import { merchantsPage } from './merchants/page.ts';
import { overviewPage } from './overview/page.ts';
import { paymentsPage } from './payments/page.ts';
import { peoplePage } from './people/page.ts';
import { policyPage } from './policy/page.ts';
import { retryMapPage } from './retry-map/page.ts';
import { sandboxPage } from './sandbox/page.ts';
import { webhooksPage } from './webhooks/page.ts';

/** The pages, in the order of the navigation. A page is a folder here and a line in this list. */
export const pages: readonly Page[] = [
  overviewPage,
  paymentsPage,
  incidentsPage,
  alertsPage,
  retryMapPage,
  webhooksPage,
  disputesPage,
  policyPage,
  limitsPage,
  merchantsPage,
  peoplePage,
  sandboxPage,
  designPage,
];
