// Generated from openapi/operator.json by npm run generate; do not edit.

/** An operator. */
export type OperatorJson = {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
  /** viewer reads; disputes answers disputes and reads their evidence too; operator acts on payments, incidents and policies too; administrator does everything. */
  readonly role: OperatorRoleJson;
  /** Absent: all. */
  readonly merchants?: readonly string[];
  /** When they were added. */
  readonly created_at: string;
  /** When they were removed; their address is forgotten. */
  readonly removed_at?: string;
};

/** viewer reads; disputes answers disputes and reads their evidence too; operator acts on payments, incidents and policies too; administrator does everything. */
export type OperatorRoleJson = 'viewer' | 'disputes' | 'operator' | 'administrator';

export type OperatorTokenJson = {
  readonly id: string;
  readonly operator_id: string;
  /** The first and last characters, to recognise it by. */
  readonly hint: string;
  /** When it was issued. */
  readonly created_at: string;
  /** When it ends. */
  readonly expires_at: string;
  /** When it was revoked. */
  readonly revoked_at?: string;
  /** When it was last used, to about a minute. */
  readonly last_used_at?: string;
};

/** The new token. */
export type IssuedOperatorTokenJson = OperatorTokenJson & {
  /** The token itself, in this answer alone. */
  readonly text: string;
};

export type ListOperatorsAnswer = {
  readonly items: readonly OperatorJson[];
};

export type AddOperatorBody = {
  /** Who it is. */
  readonly name: string;
  /** Their e-mail address. */
  readonly email?: string;
  /** viewer reads; disputes answers disputes and reads their evidence too; operator acts on payments, incidents and policies too; administrator does everything. */
  readonly role: OperatorRoleJson;
  /** The merchants that they may see; absent: all. */
  readonly merchants?: readonly string[];
};

export type ChangeOperatorBody = {
  /** Who it is. */
  readonly name?: string;
  /** viewer reads; disputes answers disputes and reads their evidence too; operator acts on payments, incidents and policies too; administrator does everything. */
  readonly role?: OperatorRoleJson;
  /** `all`: no limit any more. */
  readonly merchants?: readonly string[] | 'all';
};

export type ListOperatorTokensAnswer = {
  readonly items: readonly OperatorTokenJson[];
};

export type IssueOperatorTokenBody = {
  /** How long it is valid. */
  readonly days?: number;
};
