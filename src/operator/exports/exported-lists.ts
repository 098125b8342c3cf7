import type { TObject, TSchema } from 'typebox';
import { invariant } from '../../domain/errors.ts';
import type { GuardedEndpoint } from '../../http/endpoint/define-endpoint.ts';
import type { OperatorContext } from '../operator-deps.ts';

type Listing = GuardedEndpoint<OperatorContext>;

/** A list that can be taken away as a file. */
export interface ExportedList {
  /** What answers it, page by page or at once. */
  readonly endpoint: Listing;
  /** The field of the answer that holds its rows. */
  readonly field: string;
  /** Such as `/api/payments`, whose export stands at `/api/export/payments`. */
  readonly path: string;
  /** The operation's id and summary. */
  readonly id: string;
  readonly summary: string;
}

/** What the service is or does, the log that is followed, and a person's tokens: nothing to be taken away. */
const kept: readonly string[] = [
  'listPsps',
  'listMagicMethods',
  'checkup',
  'followEvents',
  'listOperatorTokens',
];

type Within = Omit<ExportedList, 'endpoint'>;

const customer = '/api/merchants/{id}/customers/{customer_id}';

/** Lists that stand in an answer under names of their own, by the operation's id. */
const within: Readonly<Record<string, readonly Within[]>> = {
  listInvariants: [
    {
      field: 'differences',
      path: '/api/invariant-differences',
      id: 'exportInvariantDifferences',
      summary: 'Export the days whose sums do not agree',
    },
  ],
  listModels: [
    {
      field: 'models',
      path: '/api/models',
      id: 'exportModels',
      summary: 'Export the models of the learned policy',
    },
    {
      field: 'trainings',
      path: '/api/trainings',
      id: 'exportTrainings',
      summary: 'Export the last training of each scope',
    },
  ],
  listExperiments: [
    {
      field: 'experiments',
      path: '/api/experiments',
      id: 'exportExperiments',
      summary: 'Export how traffic is split on the learned policy',
    },
  ],
  listWhatIfs: [
    {
      field: 'what_ifs',
      path: '/api/what-ifs',
      id: 'exportWhatIfs',
      summary: 'Export the what-ifs of a merchant with their results',
    },
  ],
  listAlerts: [
    {
      field: 'alerts',
      path: '/api/alerts',
      id: 'exportAlerts',
      summary: 'Export current alerts',
    },
    {
      field: 'silences',
      path: '/api/alert-silences',
      id: 'exportAlertSilences',
      summary: 'Export silences of alerts',
    },
  ],
  listAlertChannels: [
    {
      field: 'channels',
      path: '/api/alert-channels',
      id: 'exportAlertChannels',
      summary: 'Export channels of alerts',
    },
    {
      field: 'routes',
      path: '/api/alert-routes',
      id: 'exportAlertRoutes',
      summary: 'Export routes of alerts',
    },
  ],
  showCustomer: [
    {
      field: 'payments',
      path: `${customer}/payments`,
      id: 'exportCustomerPayments',
      summary: "Export a customer's payments",
    },
    {
      field: 'methods',
      path: `${customer}/methods`,
      id: 'exportCustomerMethods',
      summary: "Export a customer's payment methods",
    },
    {
      field: 'attempts',
      path: `${customer}/attempts`,
      id: 'exportCustomerAttempts',
      summary: "Export the attempts of a customer's payments",
    },
    {
      field: 'disputes',
      path: `${customer}/disputes`,
      id: 'exportCustomerDisputes',
      summary: "Export a customer's disputes",
    },
  ],
};

/** The lists that an endpoint answers: its items, and those that stand in its answer under other names. */
export function listsOf(endpoint: Listing): readonly ExportedList[] {
  const { method, docs, path } = endpoint;
  if (method !== 'GET' || docs === undefined || kept.includes(docs.id)) return [];
  const named = (within[docs.id] ?? []).map((list) => ({ endpoint, ...list }));
  if (!('items' in fieldsOf(pageOf(endpoint)))) return named;
  const id = docs.id.replace(/^list|^show/, 'export');
  const summary = docs.summary.replace(/^List( or find)?|^Show|^Sum/, 'Export');
  return [{ endpoint, field: 'items', path, id, summary }, ...named];
}

/** The shape of a row. */
export function rowShapeOf({ endpoint, field }: ExportedList): TSchema {
  const rows = fieldsOf(pageOf(endpoint))[field] as (TSchema & { items?: TSchema }) | undefined;
  invariant(rows?.items !== undefined, 'an exported list stands in its answer');
  return rows.items;
}

/** The fields of an object's shape; none of any other. */
export function fieldsOf(schema: TSchema | undefined): Readonly<Record<string, TSchema>> {
  return schema !== undefined && 'properties' in schema ? (schema as TObject).properties : {};
}

function pageOf({ answers = {} }: Listing): TSchema | undefined {
  return answers[200] as TSchema | undefined;
}
