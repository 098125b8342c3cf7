import type { AnswersApi } from '../disputes/answers-api.ts';
import type { AnalyticsApi, DisputesApi } from '../http/disputes/caller.ts';
import type { PspWebhookApi } from '../http/disputes/disputes-deps.ts';
import type { RecoveryApi } from '../recovery/api.ts';
import { servingEach } from '../store/wall/serving-each.ts';
import { createRecoveryApi } from './apis.ts';
import type { AppContext } from './context.ts';
import { createAnalyticsApi } from './disputes/analytics.ts';
import { createAnswersApi } from './disputes/answers.ts';
import { createDisputesModule } from './disputes/disputes-module.ts';
import type { PdfQueue } from './documents/pdf-queue.ts';
import type { Engine } from './engine.ts';
import type { MerchantModule } from './merchant-module.ts';
import type { PspModule } from './psps/psp-module.ts';
import { createPspWebhookApi } from './psps/psp-webhooks.ts';

/** What merchants and their PSPs may have done: each call within its merchant. */
export interface MerchantCalls {
  readonly recovery: RecoveryApi;
  readonly webhooks: PspWebhookApi;
  readonly analytics: AnalyticsApi;
  readonly disputes: DisputesApi;
  readonly answers: AnswersApi;
}

/** The use cases over the databases of merchants; the same as work over the service's own. */
export function createMerchantCalls(
  context: AppContext,
  parts: {
    readonly engine: Engine;
    readonly merchants: MerchantModule;
    readonly psps: PspModule;
    readonly pdfs: PdfQueue;
  },
): MerchantCalls {
  const { merchants, psps, pdfs } = parts;
  const { sealer } = merchants;
  const { served: db } = context.merchantDatabases;
  const engine = parts.engine.forMerchants;
  const disputes = createDisputesModule({ db, sealer, engine });
  const { list, show, confirmMatch, report } = disputes.api;
  const findAccount = psps.gateways.find;
  const answers = createAnswersApi({ ...context, db }, { merchants, disputes, findAccount, pdfs });
  const { packet, pdf, state, lookUpOrder, submit, accept, answer } = answers;
  const { obstacle, acceptObstacle } = answers;
  const { rebuttal, writeRebuttal, attach, attachments } = answers;
  const { removeAttachment, readAttachment } = answers;
  return {
    recovery: createRecoveryApi(context, engine),
    webhooks: createPspWebhookApi(context, { engine, merchants, psps, disputes }),
    analytics: createAnalyticsApi(context, merchants),
    disputes: servingEach<DisputesApi>({ list, show, confirmMatch, report }),
    answers: {
      pdf,
      ...servingEach<Omit<AnswersApi, 'pdf'>>({
        packet,
        state,
        rebuttal,
        writeRebuttal,
        attach,
        attachments,
        removeAttachment,
        readAttachment,
        lookUpOrder,
        submit,
        accept,
        answer,
        obstacle,
        acceptObstacle,
      }),
    },
  };
}
