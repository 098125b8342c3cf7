import { outsidePsps, pspFacts } from '../../src/domain/psps.ts';
import { listFiles, readText } from './source-files.ts';

/** Where what is one PSP's own may stand. */
const own =
  /^(src\/psp\/[^/]+\/|src\/domain\/psps\/[^/]+\/|test\/kits\/(psps\/|psp-mentions)|docs\/(psps\/|adding-a-psp))/;

// An ordinary word, and the one that examples are made with: their names alone say nothing.
const ordinary = ['checkout', 'stripe'];
const ids = outsidePsps.filter((psp) => !ordinary.includes(psp));
const names = [...ids, ...outsidePsps.map((psp) => pspFacts[psp].name)].filter(
  (name) => name !== 'Stripe',
);
const anyName = new RegExp(names.map((name) => name.replace('.', '\\.')).join('|'), 'i');

/** Compared with a PSP's id, or a table with an entry for it. */
const anyId = outsidePsps.join('|');
const decision = new RegExp(`([=!]==|\\bcase) '(${anyId})'`);
const entry = new RegExp(`(^|[{,])\\s*(${['stripe', ...ids].join('|')})[:,]`, 'm');

/** Whether code names a PSP otherwise than in a comment or as the value of an example. */
export function tellsPspsApart(text: string): boolean {
  const code = text
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '')
    .replaceAll(/\bpsp: '\w+'/g, '');
  return anyName.test(code) || decision.test(code) || entry.test(code);
}

/** Every file of the sources, the pages for people and the kits of tests that does. */
export function filesNamingPsps(): readonly string[] {
  const code = [...listFiles('src', '.ts'), ...listFiles('test/kits', '.ts')];
  const pages = ['README.md', ...listFiles('docs', '.md')];
  return [
    ...code.filter((path) => tellsPspsApart(readText(path))),
    ...pages.filter((path) => anyName.test(readText(path))),
  ].filter((path) => !own.test(path));
}
