/** An operator who works on disputes. */
export interface Assignee {
  readonly operatorId: string;
  readonly name: string;
}

export interface AssignDispute {
  readonly merchantId: string;
  readonly disputeId: string;
  /** Absent: nobody works on it any more. */
  readonly operatorId?: string;
}

export type AssignOutcome =
  | { readonly kind: 'assigned'; readonly assignee: Assignee }
  | { readonly kind: 'nobody' }
  /** There is none of this id who may answer disputes of the merchant. */
  | { readonly kind: 'no_operator' };

interface OneDispute {
  readonly merchantId: string;
  readonly disputeId: string;
}

export interface DisputeNote {
  readonly noteId: string;
  /** Absent: whoever held the one token. */
  readonly authorId?: string;
  /** Absent if they are not an operator of this cell. */
  readonly authorName?: string;
  readonly text: string;
  readonly at: Date;
}

export interface AddNote extends OneDispute, Pick<DisputeNote, 'authorId' | 'text'> {}

export type AddedNote =
  | { readonly kind: 'added'; readonly noteId: string }
  | { readonly kind: 'too_many'; readonly max: number };

export interface RemoveNote extends OneDispute {
  readonly noteId: string;
  /** Who asks; absent: whoever holds the one token. */
  readonly operatorId?: string;
  /** They may remove anybody's. */
  readonly isAdministrator: boolean;
}

export type RemovedNote = 'removed' | 'not_found' | 'not_yours';

/** What operators note of disputes for each other. Each act stands in the audit log. */
export interface DeskApi {
  /** The last one to assign a dispute is right. */
  assign(input: AssignDispute): Promise<AssignOutcome>;
  addNote(input: AddNote): Promise<AddedNote>;
  /** The newest last. @throws AppError encryption_key_wrong */
  notes(dispute: OneDispute): Promise<readonly DisputeNote[]>;
  removeNote(input: RemoveNote): Promise<RemovedNote>;
}
