/** An endpoint's path as the router writes it: `:id` for `{id}`. */
export function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
