// Generated from openapi/disputes.json by npm run generate; do not edit.

export type PingAnswer = {
  readonly status: string;
};
