/** What frameworks say as the `detail` of a 404 of their own, for a path that they do not have. */
const ofFrameworks: readonly RegExp[] = [
  // FastAPI, Starlette, Litestar.
  /^Not Found$/,
  // Spring with problem details, from 6.1 on and before.
  /^No static resource /,
  /^No endpoint [A-Z]+ /,
  // Werkzeug's words, which Connexion gives.
  /^The requested URL was not found on the server\./,
  // Symfony's, which API Platform gives.
  /^No route found for "/,
];

/**
 * Whether the `detail` of a 404 says of the address, not of an invoice, that it is unknown: no merchant wrote it, and
 * a mistyped address must not end recoveries.
 */
export function isUnknownRoute(detail: string): boolean {
  return ofFrameworks.some((words) => words.test(detail));
}
