import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { silentProgram } from '../src/cli/documents/cli-doc.ts';
import { outsidePsps, pspFacts } from '../src/domain/psps.ts';
import { filesNamingPsps, tellsPspsApart } from './kits/psp-mentions.ts';
import { listFiles, readText } from './kits/source-files.ts';

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...listFiles('docs', '.md'),
];

/** A heading's anchor, as code hosts make it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

function anchorsOf(page: string): ReadonlySet<string> {
  return new Set(
    [...readText(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)),
  );
}

describe('the guides', () => {
  test.each(pages)('%s has no dead link', (page) => {
    const dead: string[] = [];
    for (const [, link = ''] of readText(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(link)) continue;
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : normalize(join(dirname(page), file));
      const isThere = existsSync(target);
      if (!isThere || (anchor !== undefined && !anchorsOf(target).has(anchor))) dead.push(link);
    }
    expect(dead).toEqual([]);
  });

  test.each(['CONTRIBUTING.md', 'docs/adding-a-psp.md'])(
    '%s names files that are there',
    (page) => {
      const named = readText(page).matchAll(/`((?:src|test|dashboard|docs|openapi)\/[^`<*\s]+)`/g);
      const missing = [...named].flatMap(([, path = '']) => (existsSync(path) ? [] : [path]));
      expect(missing).toEqual([]);
    },
  );

  test("the way of an operator's read to its page is the one that is told", () => {
    const [, told = ''] = readText('CONTRIBUTING.md').split(
      "### An operator's read, with its page\n",
    );
    const [section = ''] = told.split('\n### ');
    // Each file, and what it has of the step before.
    const steps = [
      ['src/store/reports/read-cards-near-limit.ts', 'recovery/reports/operator-views.ts'],
      ['src/operator/fees/list-cards-near-limit.ts', 'store/reports/read-cards-near-limit.ts'],
      ['src/operator/endpoints.ts', './fees/list-cards-near-limit.ts'],
      ['test/store/reports/read-cards-near-limit.test.ts', 'readCardsNearLimit('],
      ['test/operator/fees/list-fees.test.ts', '/api/cards-near-limit'],
      ['openapi/operator.json', '"/api/cards-near-limit"'],
      ['dashboard/src/api/generated/limits.ts', 'CardNearLimitJson'],
      ['dashboard/src/api/limits.ts', "'/api/cards-near-limit'"],
      ['dashboard/src/pages/limits/cards.tsx', 'useCardsNearLimit('],
      ['dashboard/src/pages/pages.ts', './limits/page.ts'],
      ['test/dashboard/limits.test.ts', 'card_attempts'],
    ] as const;
    const broken = steps.filter(
      ([file, part]) => !section.includes(`\`${file}\``) || !readText(file).includes(part),
    );
    expect(broken).toEqual([]);
  });

  const sectionOf = (heading: string): string => {
    const [, rest = ''] = readText('CONTRIBUTING.md').split(`### ${heading}\n`);
    return rest.split('\n### ')[0] ?? '';
  };
  const namedIn = (section: string): readonly string[] =>
    [...section.matchAll(/`([^`\s]+\/[^`\s]*)`/g)].map(([, path = '']) => path);
  const sources = ['.ts', '.tsx']
    .flatMap((ending) => [...listFiles('src', ending), ...listFiles('dashboard/src', ending)])
    .filter((path) => !path.includes('/generated/'));

  test('every file that names a kind of policy is one of those to touch for one', () => {
    const named = namedIn(sectionOf('A policy'));
    // Lines of examples aside.
    const touched = sources.filter((path) =>
      readText(path)
        .split('\n')
        .some((line) => line.includes("'even'") && !line.includes('policy: {')),
    );
    expect(touched.length).toBeGreaterThan(8);
    const isNamed = (path: string) => named.some((name) => path.startsWith(name));
    expect(touched.filter((path) => !isNamed(path))).toEqual([]);
  });

  test('every file of the column that is the example is named', () => {
    const named = namedIn(sectionOf('A column'));
    const touched = [...sources, ...listFiles('src', '.sql')].filter((path) =>
      /distrusted_?at/i.test(readText(path)),
    );
    expect(touched.filter((path) => !named.includes(path))).toEqual([]);
    expect(touched).toHaveLength(5);
  });

  test('the index names every page', () => {
    const index = readText('docs/README.md');
    const missing = listFiles('docs', '.md')
      .map((page) => page.replace(/^docs\//, ''))
      .filter((page) => page !== 'README.md' && !index.includes(`(${page})`));
    expect(missing).toEqual([]);
  });

  test('commands in the guides are those of recoup', () => {
    const known = readText('docs/cli.md');
    for (const page of pages.filter((each) => each !== 'docs/cli.md')) {
      for (const [, words = ''] of readText(page).matchAll(
        /(?:npm run recoup --|`recoup) ([a-z][a-z-]*(?: [a-z][a-z-]+)?)/g,
      )) {
        const [command = ''] = words.split(' ');
        expect(known, `${page}: recoup ${words}`).toContain(`## recoup ${command}\n`);
      }
    }
  });

  test('commands to be pasted have what they need, and no option that there is not', () => {
    const faults = [
      ...pages,
      ...listFiles('deploy', '.md'),
      ...listFiles('deploy', '.yaml'),
    ].flatMap((page) =>
      [...readText(page).matchAll(/npm run recoup -- ([^`\n]+)/g)].flatMap(([, text = '']) => {
        const fault = faultOfCommand(text);
        return fault === undefined ? [] : [`${page}: recoup ${text}: ${fault}`];
      }),
    );
    expect(faults).toEqual([]);
  });

  test('examples in the help of commands run as they stand', () => {
    const examples = [...readText('docs/cli.md').matchAll(/^ {2}\$ recoup (.+?)(?: {2,}.*)?$/gm)];
    expect(examples.length).toBeGreaterThan(100);
    const faults = examples.flatMap(([, text = '']) => {
      const fault = faultOfCommand(text) ?? faultOfBareCommand(text);
      return fault === undefined ? [] : [`recoup ${text}: ${fault}`];
    });
    expect(faults).toEqual([]);
  });
});

/** What a command that is given by its name alone lacks to be run; in a sentence it may be, in an example not. */
function faultOfBareCommand(text: string): string | undefined {
  const named = silentProgram().commands.find((command) => command.name() === text);
  const needed = named?.registeredArguments.filter(({ required }) => required).length ?? 0;
  return needed === 0 ? undefined : `needs ${needed} arguments`;
}

/** A command of the text, with what it lacks to be run as it stands; undefined where it goes on elsewhere. */
function faultOfCommand(text: string): string | undefined {
  const words = text.replace(/\s+#.*$/, '').match(/'[^']*'|[^\s']+/g) ?? [];
  const piped = words.findIndex((word) => /^[|>\\]|^…$/.test(word));
  const given = piped === -1 ? words : words.slice(0, piped);
  const goesOn = piped !== -1 && /^[\\…]/.test(words[piped] ?? '');
  let command = silentProgram();
  const rest = [...given];
  for (;;) {
    const next = command.commands.find((each) => each.name() === rest[0]);
    if (next === undefined) break;
    command = next;
    rest.shift();
  }
  // Nothing but its name: it is spoken of.
  if (rest.length === 0) return undefined;
  const named = new Set<string>();
  let places = 0;
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (!word.startsWith('--')) {
      places += 1;
      continue;
    }
    const option = command.options.find(({ long }) => long === word);
    if (word === '--help') return undefined;
    if (option === undefined) return `has no option ${word}`;
    named.add(word);
    if (option.required || option.optional) at += 1;
  }
  if (goesOn) return undefined;
  const missing = command.options.find(
    ({ mandatory, long }) => mandatory && !named.has(long ?? ''),
  );
  if (missing !== undefined) return `needs ${missing.long}`;
  const needed = command.registeredArguments.filter(({ required }) => required).length;
  return places < needed ? `needs ${needed} arguments` : undefined;
}

describe('the guide to adding a PSP', () => {
  const guide = readText('docs/adding-a-psp.md');
  const named = [...guide.matchAll(/`((?:src|test|docs|README)[^`<*\s]*)`/g)].map(
    ([, path]) => path,
  );
  const isNamed = (path: string) =>
    named.some((name) => name === path || (name?.endsWith('/') && path.startsWith(name)));

  test('names every file that tells PSPs apart outside their own folders', () => {
    expect(filesNamingPsps().filter((path) => !isNamed(path))).toEqual([]);
  });

  test('names no other file as one that does', () => {
    const section = /## What else names a processor\n([^#]*)/.exec(guide)?.[1] ?? '';
    const told = [...section.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
    const found = filesNamingPsps();
    expect(told.length).toBeGreaterThan(10);
    expect(told.filter((name) => !found.some((path) => path.startsWith(name)))).toEqual([]);
  });

  test.each([
    ["if (item.psp !== 'stripe') return;", true],
    ['const days = { stripe: 7, recurly: 9 };', true],
    ["import { adyenFields } from './fields.ts';", true],
    ["say('Worldpay has no such thing.');", true],
    ["// Worldpay's own way\nconst days = 7; /* as Adyen */", false],
    ["examples: [{ psp: 'paypal', url: 'http://127.0.0.1' }]", false],
  ])('takes %j for telling them apart: %s', (code, isTelling) => {
    expect(tellsPspsApart(code)).toBe(isTelling);
  });

  test.each(outsidePsps)('%s has every file that the guide asks for', (psp) => {
    const steps = /## Steps\n([^#]*)/.exec(guide)?.[1] ?? '';
    const asked = [...steps.matchAll(/`((?:src|test|docs)\/[^`\s]*<name>[^`\s]*)`/g)]
      .map(([, path = '']) => path.replaceAll('<name>', psp))
      // A source of disputes alone makes no charges.
      .filter((path) => !path.endsWith('gateway.test.ts') || pspFacts[psp].connects === 'charges');
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.filter((path) => !existsSync(path))).toEqual([]);
  });
});
