/** Where the HTTP ring writes its lines; a pino logger is one. */
export interface HttpLog {
  info(fields: object, text: string): void;
  error(fields: object, text: string): void;
}
