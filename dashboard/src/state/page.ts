import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { browserTab } from './browser-tab.ts';
import type { IconName } from './icon-name.ts';
import { loadView } from './load-view.ts';

/** A view and the address it stands at, such as `/payments/:merchantId/:invoiceId`. */
export interface PageRoute {
  readonly path: string;
  readonly view: LazyExoticComponent<ComponentType<Params>>;
  /** Begins to load the view, for whoever will open it; once, and a failure is told to who opens it. */
  readonly begin: () => void;
  /** What it shows, where that is not what the page is named. */
  readonly name?: string;
}

/** The parts of the address that the route names, decoded. */
export interface Params {
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** What the pages are about, in the order of the navigation. */
export const pageGroups = ['', 'Recovery', 'Operations', 'Settings'] as const;

/** One entry of the navigation. */
export interface Page {
  readonly name: string;
  readonly group: (typeof pageGroups)[number];
  readonly icon: IconName;
  /** Where the entry leads. */
  readonly path: string;
  readonly routes: readonly PageRoute[];
  /** It has something to show in the sandbox alone. */
  readonly sandboxOnly?: true;
  /** A merchant's own people see it in their portal. */
  readonly inPortal?: true;
  /** It has an address, and no entry. */
  readonly isHidden?: true;
}

/** A route whose view is loaded when it is first opened. */
export function route(
  path: string,
  load: () => Promise<ComponentType<Params>>,
  name?: string,
): PageRoute {
  let loading: Promise<ComponentType<Params>> | undefined;
  const once = () => {
    loading ??= loadView(browserTab, load);
    return loading;
  };
  const view = lazy(async () => ({ default: await once() }));
  const begin = () => void once().catch(() => undefined);
  return { path, view, begin, ...(name !== undefined && { name }) };
}
