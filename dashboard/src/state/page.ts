import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { browserTab } from './browser-tab.ts';
import type { IconName } from './icon-name.ts';
import { loadView } from './load-view.ts';

/** A view and the address it stands at, such as `/payments/:merchantId/:invoiceId`. */
export interface PageRoute {
  readonly path: string;
  readonly view: LazyExoticComponent<ComponentType<Params>>;
  /** Loads the view, once, for whoever will open it; a failure is told to who opens it. */
  readonly begin: () => Promise<void>;
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
  let loaded: ComponentType<Params> | undefined;
  const once = async () => {
    loading ??= loadView(browserTab, load);
    loaded = await loading;
    return loaded;
  };
  const view = lazy(() => (loaded === undefined ? once().then(asModule) : atOnce(loaded)));
  const begin = () =>
    once().then(
      () => undefined,
      () => undefined,
    );
  return { path, view, begin, ...(name !== undefined && { name }) };
}

function asModule(view: ComponentType<Params>) {
  return { default: view };
}

/**
 * What is there is shown at once. A promise, even one that is fulfilled, would show that the page is loading, and
 * React leaves what it has shown so for three tenths of a second.
 */
function atOnce(view: ComponentType<Params>): Promise<{ default: ComponentType<Params> }> {
  const module = asModule(view);
  const then = (onLoaded: (module: { default: ComponentType<Params> }) => void) => onLoaded(module);
  return { then } as unknown as Promise<{ default: ComponentType<Params> }>;
}
