/** Where the HTTP ring writes its lines; a pino logger is one. */
export interface HttpLog {
  /** One line for each request: for those who look for one. */
  debug(fields: object, text: string): void;
  error(fields: object, text: string): void;
}
