import { present } from '../../domain/present.ts';

/** What lies at Adyen from us: the reason that a defence is to have, and the types of its documents. */
export interface StagedDefense {
  readonly reasonCode?: string;
  readonly types: ReadonlySet<string>;
}

/** Characters that are kept of it: a reason has one or two documents, whose types have thirty characters at most. */
const maxLength = 255;

/** As it is kept between two calls: the reason, then the types, each of which is one word. */
export function writeStaged({ reasonCode, types }: Required<StagedDefense>): string {
  return [...types].reduce((text, type) => {
    const longer = `${text} ${type}`;
    return longer.length > maxLength ? text : longer;
  }, reasonCode);
}

export function readStaged(reference: string | undefined): StagedDefense {
  const [reasonCode, ...types] = reference?.split(' ') ?? [];
  return { ...present({ reasonCode }), types: new Set(types) };
}
