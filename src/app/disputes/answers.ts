import { acceptDispute } from '../../disputes/acceptance/accept-dispute.ts';
import {
  findAcceptObstacle,
  obstacleInAnswer,
} from '../../disputes/acceptance/find-accept-obstacle.ts';
import { addAttachment } from '../../disputes/added/add-attachment.ts';
import type { DisputeKey } from '../../disputes/added/added-ports.ts';
import { listAttachments, removeAttachment } from '../../disputes/added/manage-attachments.ts';
import { showRebuttal } from '../../disputes/added/show-rebuttal.ts';
import { writeRebuttal } from '../../disputes/added/write-rebuttal.ts';
import type { AnswersApi } from '../../disputes/answers-api.ts';
import type { DisputeDetail } from '../../disputes/dispute-ports.ts';
import { showPacket } from '../../disputes/evidence/show-packet.ts';
import { lookUpOrder } from '../../disputes/look-up-order.ts';
import { filesOf } from '../../disputes/submission/files-of.ts';
import { findObstacle, obstacleInAcceptance } from '../../disputes/submission/find-obstacle.ts';
import { resolveDue } from '../../disputes/submission/resolve-due.ts';
import { submitEvidence } from '../../disputes/submission/submit-evidence.ts';
import type { PspAccount } from '../../psp/adapter.ts';
import type { PspConnectionKey } from '../../recovery/engine/deps.ts';
import { createAddedStore } from '../../store/disputes/evidence/added-store.ts';
import { createAttachmentStore } from '../../store/disputes/evidence/attachment-store.ts';
import { createEvidenceStore } from '../../store/disputes/evidence/evidence-store.ts';
import { createOrderStore } from '../../store/disputes/evidence/order-store.ts';
import { createSubmissionStore } from '../../store/disputes/evidence/submission-store.ts';
import { readPersonalData } from '../../store/disputes/read-analytics.ts';
import type { AppContext } from '../context.ts';
import type { PdfQueue } from '../documents/pdf-queue.ts';
import type { MerchantModule } from '../merchant-module.ts';
import type { DisputesModule } from './disputes-module.ts';

/** Staging takes several calls to a PSP, two for each file at most, each of which ends by its time limit. */
const maxCalls = 12;

export interface AnswersModule extends AnswersApi {
  /** What a job does: gives how many answers there were. */
  resolveDue(input: Parameters<typeof resolveDue>[1]): Promise<number>;
}

/** The answers to disputes, joined with the store, the PSPs and the documents. */
export function createAnswersApi(
  context: Pick<AppContext, 'db' | 'clock' | 'random'> & {
    readonly config: Pick<AppContext['config'], 'pspTimeoutMs'>;
  },
  parts: {
    readonly merchants: Pick<MerchantModule, 'sealer'>;
    readonly disputes: Pick<DisputesModule, 'store' | 'noteAccepted'>;
    findAccount(
      key: PspConnectionKey,
    ): Promise<Pick<PspAccount, 'evidence' | 'acceptance'> | undefined>;
    /** Shared by all that draw documents in this process. */
    readonly pdfs: PdfQueue;
  },
): AnswersModule {
  const { db, clock, config } = context;
  const { sealer } = parts.merchants;
  const evidence = createEvidenceStore({ db });
  const submissions = createSubmissionStore({ db });
  const orders = createOrderStore({ db });
  const { pdfs } = parts;
  const attachments = createAttachmentStore({ db, sealer });
  const added = createAddedStore({ db, sealer, attachments });
  const packets = {
    evidence,
    added,
    clock,
    analytics: {
      readPersonalData: (input: Parameters<typeof readPersonalData>[1]) =>
        readPersonalData({ db, sealer }, input),
    },
  };
  const submitting = {
    ...packets,
    disputes: parts.disputes.store,
    noteAccepted: parts.disputes.noteAccepted,
    submissions,
    findEvidenceGateway: async (key: PspConnectionKey) => (await parts.findAccount(key))?.evidence,
    findAcceptanceGateway: async (key: PspConnectionKey) =>
      (await parts.findAccount(key))?.acceptance,
    attachments,
    random: context.random,
    filesOf: (key: DisputeKey) => filesOf({ attachments, clock }, key),
    renderPdf: pdfs.drawInAnyCase,
    inFlightMs: maxCalls * config.pspTimeoutMs,
  };
  const answerOf = async ({ merchantId, disputeId, state }: DisputeDetail) =>
    state.kind === 'dispute'
      ? submissions.find({ merchantId, disputeId, stage: state.stage })
      : undefined;
  return {
    packet: ({ actor, reason, ...key }) =>
      showPacket(packets, { ...key, reader: { actor, reason } }),
    pdf: pdfs.draw,
    ...whatPersonsAdd(submitting),
    state: (input) => evidence.state({ ...input, at: clock.now() }),
    lookUpOrder: (input) => lookUpOrder({ ...packets, orders }, input),
    obstacle: async (dispute) =>
      findObstacle(dispute, await submitting.findEvidenceGateway(dispute), clock.now()) ??
      obstacleInAcceptance(await answerOf(dispute)),
    acceptObstacle: async (dispute) =>
      findAcceptObstacle(dispute, await submitting.findAcceptanceGateway(dispute), clock.now()) ??
      obstacleInAnswer(await answerOf(dispute), dispute),
    accept: (input) => acceptDispute(submitting, input),
    submit: (input) => submitEvidence(submitting, input),
    resolveDue: (input) => resolveDue(submitting, input),
    answer: (input) => submissions.latest(input),
  };
}

/** Letters to issuers, and files. */
function whatPersonsAdd(
  deps: Parameters<typeof showRebuttal>[0] &
    Parameters<typeof addAttachment>[0] &
    Parameters<typeof writeRebuttal>[0] & {
      readonly attachments: ReturnType<typeof createAttachmentStore>;
    },
) {
  const { attachments, clock } = deps;
  return {
    rebuttal: ({ actor, reason, ...key }) =>
      showRebuttal(deps, { ...key, reader: { actor, reason } }),
    writeRebuttal: (input) => writeRebuttal(deps, input),
    attach: (input) => addAttachment(deps, input),
    attachments: (input) => listAttachments(deps, input),
    removeAttachment: (input) => removeAttachment(deps, input),
    readAttachment: ({ actor, reason, ...key }) =>
      attachments.read({ ...key, reader: { actor, reason }, at: clock.now() }),
  } satisfies Partial<AnswersApi>;
}
