import type { AnswersApi } from '../../disputes/answers-api.ts';
import type { CredentialScope } from '../../domain/access/scopes.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Psp } from '../../domain/psps.ts';
import type { Random } from '../../domain/random.ts';
import type {
  IngestPspWebhook,
  PspWebhookOutcome,
} from '../../recovery/intake/ingest-psp-webhook.ts';
import type { BoundsDeps, BoundsSettings } from '../bounds/bounds.ts';
import type { PassingOn } from '../moved/pass-on.ts';
import type { HttpLog } from '../server/http-log.ts';
import type { AnalyticsApi, DisputesApi } from './caller.ts';

/** What this listener asks of the engine. */
export interface PspWebhookApi {
  /** Whether the merchant has a connection to the PSP. */
  isConnected(account: { readonly merchantId: string; readonly psp: Psp }): Promise<boolean>;
  /** Resolves when every event of the webhook is durable. */
  ingest(input: IngestPspWebhook): Promise<PspWebhookOutcome>;
}

export interface DisputesLog extends HttpLog {
  warn(fields: object, text: string): void;
}

/** How a webhook was answered, for those who count. */
export type WebhookResult =
  | PspWebhookOutcome['kind']
  /** Too large, or too many. */
  | 'refused'
  | 'failed';

export interface DisputesDeps {
  readonly analytics: AnalyticsApi;
  readonly disputes: DisputesApi;
  readonly answers: AnswersApi;
  /** What this password of the merchant is for; undefined where it is not a valid one. */
  authenticate(
    merchantId: string,
    password: string,
  ): Promise<readonly CredentialScope[] | undefined>;
  /** Runs a merchant's request so that the audit log says who asked, and from where. */
  actAs<Result>(
    who: { readonly actor: string; readonly address: string },
    work: () => Result,
  ): Result;
  readonly webhooks: PspWebhookApi;
  readonly bounds: BoundsDeps & {
    readonly settings: BoundsSettings;
    /** Signed webhooks of one merchant's PSPs in a minute. */
    readonly webhooksPerMinute: number;
  };
  /** Names by which this server may be asked, beside loopback and addresses in digits. */
  readonly hosts: readonly string[];
  /** Addresses and networks of proxies whose word of the sender is believed. */
  readonly proxies?: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
  /** For merchants that have moved to another cell. Absent: every merchant is here. */
  readonly passingOn?: PassingOn;
  readonly log: DisputesLog;
  readonly countWebhook: (psp: Psp | 'unknown', result: WebhookResult) => void;
}
