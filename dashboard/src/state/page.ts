import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** A view and the address it stands at, such as `/payments/:merchantId/:invoiceId`. */
export interface PageRoute {
  readonly path: string;
  readonly view: LazyExoticComponent<ComponentType<Params>>;
}

/** The parts of the address that the route names, decoded. */
export interface Params {
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** One entry of the navigation. */
export interface Page {
  readonly name: string;
  /** Where the entry leads. */
  readonly path: string;
  readonly routes: readonly PageRoute[];
  /** It has something to show in the sandbox alone. */
  readonly sandboxOnly?: true;
}

/** A route whose view is loaded when it is first opened. */
export function route(path: string, load: () => Promise<ComponentType<Params>>): PageRoute {
  return { path, view: lazy(async () => ({ default: await load() })) };
}
