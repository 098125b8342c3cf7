import { Type } from 'typebox';
import {
  daysOf,
  defaultShares,
  defaultTimeZone,
  type MerchantAuth,
  policyKinds,
} from '../../domain/merchant.ts';
import { present } from '../../domain/present.ts';
import { psps } from '../../domain/psps.ts';
import { enumField, timeField } from '../../http/fields.ts';
import { type MerchantMove, type MerchantView, moveStates } from '../../recovery/operator-api.ts';
import { merchantIdField } from '../shapes.ts';

/** How calls to one of a merchant's addresses are authenticated. */
export const authTypeField = Type.Unsafe<MerchantAuth['type']>({
  ...enumField(['none', 'api_key', 'basic'], 'The method.'),
  title: 'AuthType',
});

/** A merchant's fields as the API shows them; secrets are never among them. */
export const merchantFields = {
  id: merchantIdField,
  name: Type.String(),
  retry_status_url: Type.String(),
  webhook_url: Type.String(),
  auth: Type.Object(
    { type: authTypeField },
    { description: "How calls to the merchant's server are authenticated." },
  ),
  psps: Type.Array(
    Type.Object({
      psp: enumField(psps, 'Which processor charges go through.'),
      webhook_url: Type.String({ description: 'Where this PSP is to send its webhooks.' }),
    }),
  ),
  policy: Type.Object(
    {
      kind: enumField(policyKinds, 'The family of schedules.'),
      window_days: Type.Integer(),
      max_attempts: Type.Integer(),
      fixed_days: Type.Array(Type.Integer()),
      holdout_share: Type.Optional(
        Type.Number({ description: 'For learned: the share of payments that stay on fixed_days.' }),
      ),
      learned_share: Type.Optional(
        Type.Number({
          description: 'For learned: the share of payments that the model plans, set by hand.',
        }),
      ),
      learned_step: Type.Optional(
        Type.Number({
          description:
            'For learned: the share that its own payments have earned: 0, 0.1, 0.5 or 0.9.',
        }),
      ),
      explore_share: Type.Optional(
        Type.Number({
          description: 'For learned: the share of decisions that take a random time.',
        }),
      ),
    },
    { title: 'Policy' },
  ),
  time_zone: Type.String(),
  end_of_dunning: Type.Boolean(),
  incident_events: Type.Boolean(),
  customer_action_events: Type.Boolean(),
  customer_page_url: Type.Optional(Type.String()),
  webhook_quick_sends: Type.Boolean(),
  webhook_pause_after_days: Type.Optional(Type.Integer()),
  webhook_paused_at: Type.Optional(timeField('Since when the webhook address is sent nothing.')),
  created_at: timeField('When it was created.'),
  updated_at: timeField('When it was last changed.'),
  move: Type.Optional(
    Type.Object(
      {
        state: enumField(moveStates, 'Once it has moved, all that is left here are copies.'),
        to_cell: Type.Optional(
          Type.String({ description: "The other cell's name, if it has one." }),
        ),
        since: timeField('When the move began; once it is over, when it ended.'),
      },
      {
        title: 'MerchantMove',
        description: 'Its way to another cell; absent while it is here and stays.',
      },
    ),
  ),
};

export const merchantExample = {
  id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
  name: 'Acme',
  retry_status_url: 'https://billing.acme.example/retry/{invoice_id}',
  webhook_url: 'https://billing.acme.example/webhooks/retry-results',
  auth: { type: 'api_key' },
  psps: [
    {
      psp: 'stripe',
      webhook_url:
        'https://disputes.recoup.example/v1/psp/stripe/webhooks/mer_3v5kq0m2w8x1c7n4t6r9b2h1',
    },
  ],
  policy: { kind: 'even', window_days: 28, max_attempts: 4, fixed_days: [7, 14, 21, 28] },
  time_zone: 'UTC',
  end_of_dunning: false,
  incident_events: false,
  customer_action_events: false,
  webhook_quick_sends: false,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

export const merchantShape = Type.Object(merchantFields, {
  title: 'Merchant',
  description: 'The merchant, without its secrets.',
  examples: [merchantExample],
});

/** `disputesUrl` is where PSPs reach the disputes listener. */
export function merchantJson(
  merchant: MerchantView,
  disputesUrl: string,
): Type.Static<typeof merchantShape> {
  const { policy } = merchant;
  return {
    id: merchant.merchantId,
    name: merchant.name,
    retry_status_url: merchant.retryStatusUrl,
    webhook_url: merchant.webhookUrl,
    auth: { type: merchant.authType },
    psps: merchant.psps.map((psp) => ({
      psp,
      webhook_url: `${disputesUrl}/v1/psp/${psp}/webhooks/${merchant.merchantId}`,
    })),
    policy: {
      kind: policy.kind,
      window_days: policy.windowDays,
      max_attempts: policy.maxAttempts,
      fixed_days: [...daysOf(policy)],
      ...(policy.kind === 'learned' && {
        holdout_share: policy.holdoutShare ?? defaultShares.holdout,
        explore_share: policy.exploreShare ?? defaultShares.explore,
      }),
    },
    time_zone: merchant.timeZone ?? defaultTimeZone,
    end_of_dunning: merchant.endOfDunning,
    incident_events: merchant.incidentEvents ?? false,
    customer_action_events: merchant.customerActionEvents ?? false,
    webhook_quick_sends: merchant.webhookQuickSends ?? false,
    ...present({
      customer_page_url: merchant.customerPageUrl,
      webhook_pause_after_days: merchant.webhookPauseAfterDays,
      webhook_paused_at: merchant.webhookPause?.at.toISOString(),
    }),
    created_at: merchant.createdAt.toISOString(),
    updated_at: merchant.updatedAt.toISOString(),
    ...present({ move: merchant.move && moveJson(merchant.move) }),
  };
}

function moveJson({ state, toCell, since }: MerchantMove) {
  return { state, ...present({ to_cell: toCell }), since: since.toISOString() };
}
