import type { AcceptInput, AcceptOutcome } from './acceptance/accept-dispute.ts';
import type { AcceptObstacle } from './acceptance/find-accept-obstacle.ts';
import type { AddAttachment, AttachOutcome } from './added/add-attachment.ts';
import type { DisputeKey } from './added/added-ports.ts';
import type { Attachment } from './added/attachment.ts';
import type { AttachmentKey, RemoveOutcome } from './added/attachment-ports.ts';
import type { AttachmentsView } from './added/manage-attachments.ts';
import type { RebuttalView } from './added/show-rebuttal.ts';
import type { RebuttalOutcome, WriteRebuttal } from './added/write-rebuttal.ts';
import type { DisputeDetail } from './dispute-ports.ts';
import type { Packet } from './evidence/packet.ts';
import type { PacketOutcome } from './evidence/show-packet.ts';
import type { StatedDetails } from './evidence/stated-details.ts';
import type { FoundOrder, LookUpOrder } from './look-up-order.ts';
import type { Obstacle } from './submission/find-obstacle.ts';
import type { StageAnswer } from './submission/submission-ports.ts';
import type { SubmitInput, SubmitOutcome } from './submission/submit-evidence.ts';

/** A dispute, and who asks about it, for the audit log. */
export interface AskedDispute {
  readonly merchantId: string;
  readonly disputeId: string;
  readonly actor: string;
}

/** What merchants and the operator ask about the answers to disputes. */
export interface AnswersApi {
  /**
   * The packet, with its verdict. It opens analytics records, and the audit log says for whom and
   * why.
   */
  packet(input: AskedDispute & { readonly reason: string }): Promise<PacketOutcome>;
  pdf(packet: Packet): Promise<Uint8Array>;
  /** Keeps what the merchant states in place of what they stated before; false: no such dispute. */
  state(input: {
    readonly merchantId: string;
    readonly disputeId: string;
    readonly details: StatedDetails;
  }): Promise<boolean>;
  /** The letter to the issuer; undefined: no such dispute. It is opened, and the audit log says so. */
  rebuttal(input: AskedDispute & { readonly reason: string }): Promise<RebuttalView | undefined>;
  writeRebuttal(input: WriteRebuttal): Promise<RebuttalOutcome>;
  /** Keeps a file beside a dispute. */
  attach(input: AddAttachment): Promise<AttachOutcome>;
  /** The files of a dispute; undefined: no such dispute. */
  attachments(input: DisputeKey): Promise<AttachmentsView | undefined>;
  removeAttachment(input: AttachmentKey & { readonly actor: string }): Promise<RemoveOutcome>;
  /** A file with its bytes; it is opened, and the audit log says so. */
  readAttachment(
    input: AttachmentKey & { readonly actor: string; readonly reason: string },
  ): Promise<{ readonly attachment: Attachment; readonly bytes: Uint8Array } | undefined>;
  lookUpOrder(input: LookUpOrder): Promise<FoundOrder>;
  /** Why the dispute cannot be answered through its PSP now, but for what only its packet tells. */
  obstacle(dispute: DisputeDetail): Promise<Obstacle | undefined>;
  submit(input: SubmitInput): Promise<SubmitOutcome>;
  /** Why the dispute cannot be accepted through its PSP now. */
  acceptObstacle(dispute: DisputeDetail): Promise<AcceptObstacle | undefined>;
  /** Gives up what is disputed, at the PSP and for good. */
  accept(input: AcceptInput): Promise<AcceptOutcome>;
  /** The answer to the dispute's newest stage that has one. */
  answer(input: Omit<AskedDispute, 'actor'>): Promise<StageAnswer | undefined>;
}
