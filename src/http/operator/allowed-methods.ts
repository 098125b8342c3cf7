/** The methods of each route's template, such as `/api/merchants/:id`. */
export type RouteMethods = Map<string, Set<string>>;

/** The methods that some route takes at this path; none for a path that no route has. */
export function allowedMethods(routes: RouteMethods, url: string): readonly string[] {
  const [path = ''] = url.split('?');
  const methods = new Set<string>();
  for (const [template, of] of routes) {
    if (matches(template, path)) for (const method of of) methods.add(method);
  }
  return [...methods].sort();
}

function matches(template: string, path: string): boolean {
  const wanted = template.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, index) =>
      part.startsWith(':') ? given[index] !== '' : part === given[index],
    )
  );
}
