import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pspFacts, psps } from '../src/domain/psps.ts';
import { listFiles, readSourceFile, readText, type SourceFile } from './kits/source-files.ts';

/**
 * The house's rules, as ARCHITECTURE.md gives them, read off the sources themselves: which ring may
 * import which, how large things may grow, and what never stands in a pure ring.
 */
const rings: Readonly<Record<string, number>> = {
  domain: 0,
  policy: 1,
  recovery: 2,
  disputes: 2,
  psp: 3,
  merchant: 3,
  alerts: 3,
  store: 3,
  jobs: 3,
  http: 3,
  documents: 3,
  simulator: 4,
  config: 4,
  app: 4,
  backtest: 4,
  operator: 4,
  faults: 5,
  cli: 6,
  main: 6,
};

/** Files in config's place in the rings: what settings are, what is measured, what Node keeps. */
const configFiles = new Set([
  'compile-cache',
  'misspelt-settings',
  'setting',
  'settings',
  'process-settings',
  'sign-in-settings',
  'alert-settings',
  'message-settings',
  'tracing-settings',
  'setting-values',
  'settings-doc',
  'local-secrets',
  'metrics',
]);

/** All that the simulator may know: what a merchant could run without the service. */
const inner = new Set(['domain', 'policy', 'simulator']);

const limits = {
  fileLines: 400,
  medianLines: 80,
  p90Lines: 200,
  functionLines: 70,
  filesInFolder: 20,
  scripts: 12,
  columns: 100,
};
/** Tables of facts are as long as the facts are. */
const tables = new Set(['src/domain/declines/decline-codes.ts']);

const sources = listFiles('src', '.ts').map(readSourceFile);

/** The top folder of a path under src/, or the name of a file that stands in src/ itself. */
function partOf(path: string): string {
  const part = path.split('/')[1]?.replace(/\.ts$/, '') ?? '';
  if (part === 'run-service') return 'main';
  return configFiles.has(part) ? 'config' : part;
}

function ringOf(path: string): number {
  const ring = rings[partOf(path)];
  if (ring === undefined) throw new Error(`${path} belongs to no ring`);
  return ring;
}

describe('the import law', () => {
  test('a file imports its own part and lower rings; app alone joins rings', () => {
    const broken = sources.flatMap((file) =>
      file.imports
        .filter((edge) => edge.isRelative && !mayImport(file.path, edge.target))
        .map((edge) => `${file.path} imports ${edge.target}`),
    );
    expect(broken).toEqual([]);
  });

  test('domain and policy import neither Node nor packages', () => {
    const broken = sources
      .filter((file) => ringOf(file.path) <= 1)
      .flatMap((file) =>
        file.imports
          .filter((edge) => !edge.isRelative)
          .map((edge) => `${file.path}: ${edge.target}`),
      );
    expect(broken).toEqual([]);
  });

  test('the simulator imports domain and policy only', () => {
    const broken = sources
      .filter((file) => partOf(file.path) === 'simulator')
      .flatMap((file) => file.imports.map((edge) => ({ ...edge, from: file.path })))
      .filter((edge) => !edge.isRelative || !inner.has(partOf(edge.target)))
      .map((edge) => `${edge.from}: ${edge.target}`);
    expect(broken).toEqual([]);
  });

  test('what checks runs under faults shares no code with what it checks', () => {
    const broken = sources
      .filter((file) => file.path.startsWith('src/faults/checker/'))
      .flatMap((file) => file.imports.map((edge) => ({ ...edge, from: file.path })))
      .filter(
        ({ target }) => !/^src\/(faults\/(checker\/|record\.ts)|domain\/clock\.ts)/.test(target),
      )
      .map((edge) => `${edge.from}: ${edge.target}`);
    expect(broken).toEqual([]);
  });

  test('every import names a file that is there', () => {
    const known = new Set([...sources.map((file) => file.path), ...listFiles('src', '.json')]);
    const broken = sources.flatMap((file) =>
      file.imports
        .filter((edge) => edge.isRelative && edge.target.startsWith('src/'))
        .filter((edge) => !known.has(edge.target))
        .map((edge) => `${file.path}: ${edge.target}`),
    );
    expect(broken).toEqual([]);
  });

  test('no runtime imports run in a circle', () => {
    expect(findCycle(sources)).toEqual([]);
  });
});

describe('the SDK', () => {
  const sdk = listFiles('sdk/src', '.ts').map(readSourceFile);

  test('imports nothing but itself, so that it runs wherever JavaScript does', () => {
    const broken = sdk.flatMap((file) =>
      file.imports
        .filter((edge) => !edge.target.startsWith('sdk/src/'))
        .map((edge) => `${file.path} imports ${edge.target}`),
    );
    expect(sdk.length).toBeGreaterThan(20);
    expect(broken).toEqual([]);
    expect(findCycle(sdk)).toEqual([]);
  });

  test('is imported by no source of the service', () => {
    const broken = sources.flatMap((file) =>
      file.imports
        .filter((edge) => /^(sdk\/|@recoup\/sdk)/.test(edge.target))
        .map((edge) => `${file.path} imports ${edge.target}`),
    );
    expect(broken).toEqual([]);
  });

  test('keeps to the sizes', () => {
    const maxLines = ({ path }: SourceFile) =>
      path.includes('/generated/') ? limits.fileLines : limits.p90Lines;
    expect(sdk.filter((file) => file.lines > maxLines(file)).map((file) => file.path)).toEqual([]);
    const long = sdk.flatMap((file) =>
      file.functions
        .filter((item) => item.lines > limits.functionLines)
        .map((item) => `${file.path} ${item.name}: ${item.lines}`),
    );
    expect(long).toEqual([]);
  });
});

describe('the dashboard', () => {
  const files = [...listFiles('dashboard/src', '.ts'), ...listFiles('dashboard/src', '.tsx')].map(
    readBrowserFile,
  );

  test('imports nothing of the service, and in no circle', () => {
    const foreign = files.flatMap((file) =>
      file.imports
        .filter((edge) => edge.isRelative && !edge.target.startsWith('dashboard/src/'))
        .map((edge) => `${file.path} imports ${edge.target}`),
    );
    expect(files.length).toBeGreaterThan(50);
    expect(foreign).toEqual([]);
    expect(findCycle(files)).toEqual([]);
  });

  test(`has no file longer than ${limits.fileLines} lines`, () => {
    const written = files.filter((file) => !file.path.includes('/generated/'));
    const long = written.filter((file) => file.lines > limits.fileLines);
    expect(long.map((file) => file.path)).toEqual([]);
  });
});

/** A file with JSX, which Node cannot parse: its lines and its imports. */
function readBrowserFile(path: string): Pick<SourceFile, 'path' | 'lines' | 'imports'> {
  const text = readText(path);
  const found = text.matchAll(/^(?:import|export)( type)?[^;']*? from '(\.[^']*)';/gm);
  const imports = [...found].map(([, isType, target = '']) => ({
    target: join(path, '..', target),
    isRelative: true,
    isRuntime: isType === undefined,
  }));
  return { path, lines: text.split('\n').length - 1, imports };
}

function mayImport(from: string, to: string): boolean {
  const [own, other] = [ringOf(from), ringOf(to)];
  return partOf(from) === partOf(to) || other < own || (partOf(from) === 'app' && other === own);
}

/** A path of files that leads back to its beginning, or an empty one. */
function findCycle(files: readonly Pick<SourceFile, 'path' | 'imports'>[]): readonly string[] {
  const edges = new Map(
    files.map((file) => [
      file.path,
      file.imports.filter((edge) => edge.isRelative && edge.isRuntime).map((edge) => edge.target),
    ]),
  );
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): readonly string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return [];
    for (const next of edges.get(path) ?? []) {
      const cycle = walk(next, [...trail, path]);
      if (cycle.length > 0) return cycle;
    }
    done.add(path);
    return [];
  };
  for (const { path } of files) {
    const cycle = walk(path, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

describe('processors', () => {
  test('each folder holds the files that every processor has', () => {
    const wanted = [
      'acceptance',
      'adapter',
      'capabilities',
      'client',
      'credentials',
      'declines',
      'evidence',
      'gateway',
      'map',
      'webhook',
    ];
    // Of a charge and its answer: a source of disputes alone has none.
    const ofCharges = ['declines', 'map'];
    const folders = new Map<string, string[]>();
    for (const { path } of sources) {
      const [, folder, file] = /^src\/psp\/([^/]+)\/([^/]+)\.ts$/.exec(path) ?? [];
      if (folder === undefined || file === undefined) continue;
      folders.set(folder, [...(folders.get(folder) ?? []), file]);
    }
    expect(folders.size).toBeGreaterThanOrEqual(6);
    for (const [folder, files] of folders) {
      const psp = psps.find((name) => name === folder);
      const isCharged = psp !== undefined && pspFacts[psp].connects !== 'disputes';
      const needed = isCharged ? wanted : wanted.filter((name) => !ofCharges.includes(name));
      expect(files, folder).toEqual(expect.arrayContaining(needed));
    }
  });
});

describe('sizes', () => {
  const sized = sources.filter((file) => !tables.has(file.path));
  const lengths = sized.map((file) => file.lines).sort((a, b) => a - b);

  test(`no file is longer than ${limits.fileLines} lines`, () => {
    expect(sized.filter((file) => file.lines > limits.fileLines).map((file) => file.path)).toEqual(
      [],
    );
  });

  test(`half the files have at most ${limits.medianLines} lines, nine in ten ${limits.p90Lines}`, () => {
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(limits.medianLines);
    expect(lengths[Math.floor(lengths.length * 0.9)]).toBeLessThanOrEqual(limits.p90Lines);
  });

  test(`no function is longer than ${limits.functionLines} lines`, () => {
    const long = sources.flatMap((file) =>
      file.functions
        .filter((item) => item.lines > limits.functionLines)
        .map((item) => `${file.path} ${item.name}: ${item.lines}`),
    );
    expect(long).toEqual([]);
  });

  test(`no folder holds more than ${limits.filesInFolder} files`, () => {
    const counts = new Map<string, number>();
    for (const { path } of sources) {
      const folder = path.slice(0, path.lastIndexOf('/'));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > limits.filesInFolder)).toEqual([]);
  });

  test(`package.json has at most ${limits.scripts} scripts and pins every dependency`, () => {
    const manifest = JSON.parse(readText('package.json'));
    expect(Object.keys(manifest.scripts).length).toBeLessThanOrEqual(limits.scripts);
    const versions = Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    });
    expect(
      versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version))),
    ).toEqual([]);
  });
});

// The two files of jobs/ speak to pg-boss's own schema, which the store does not know.
describe('words that never stand in the sources', () => {
  const outermost = /^src\/(run-service\.ts|cli\/)/;
  const forbidden: readonly (readonly [name: string, pattern: RegExp, except: RegExp])[] = [
    ['an own look at the clock', /\bDate\.now\(|\bnew Date\(\)/, outermost],
    ['own randomness', /\bMath\.random\(|\brandomUUID\(|\brandomBytes\(/, outermost],
    ['an unfinished note', /\b(TODO|FIXME|XXX)\b/, /^$/],
    [
      'SQL outside the store',
      /\b(select|insert into|update|delete from)\b.+\b(from|values|set)\b.+\bwhere\b/,
      /^src\/(store\/|jobs\/(job-times|follow-offset)\.ts)/,
    ],
    ['a default export', /^export default/m, /^$/],
    // One idiom for fields that may be absent: `present`. The checker shares no code with what it checks.
    [
      'a field that may be absent, made without present',
      /\.\.\.\(([\w.]+) (?:!== undefined && \{ (?:\1|\w+: \1) \}|=== (?:undefined|null) \? \{\} : )/,
      /^src\/faults\/checker\//,
    ],
    // Pages and the refusal of other methods aside, what is served is an endpoint.
    [
      'a route beside defineEndpoint',
      /\b(server|app|api|child|rest)\s*\.(get|post|put|patch|delete|route)[<(]/,
      /^src\/(http\/(endpoint\/(serve-endpoints|open-api-of)|docs\/add-docs|server\/refuse-other-methods)|operator\/dashboard\/serve-dashboard)\.ts$/,
    ],
  ];

  test.each(forbidden)('%s', (_name, pattern, except) => {
    const found = sources
      .map((file) => file.path)
      .filter((path) => !except.test(path) && pattern.test(readText(path)));
    expect(found).toEqual([]);
  });
});

describe('migrations', () => {
  const folder = 'src/store/migrations';
  const paths = listFiles(folder, '.sql').map((path) =>
    path.slice(path.indexOf(folder) + folder.length + 1),
  );
  const names = paths.filter((path) => !path.includes('/'));

  // Numbers are given out before the work on them is done: one may come later than the next.
  test('are numbered without doubles', () => {
    const numbers = names.map((name) => Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]));
    expect(numbers.filter((number) => !(number > 0))).toEqual([]);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  test('begin with a banner that gives the reasons', () => {
    const bare = paths.filter((path) => !readText(`${folder}/${path}`).startsWith('-- '));
    expect(bare).toEqual([]);
  });

  test('are those in whose place another is run on Citus', () => {
    const replacing = paths.filter((path) => path.includes('/'));
    expect(replacing.length).toBeGreaterThan(0);
    const named = names.map((name) => `on-citus/${name}`);
    expect(replacing.filter((path) => !named.includes(path))).toEqual([]);
  });
});

test('source files mirror their folders in test/', () => {
  const folders = new Set(sources.map((file) => partOf(file.path)));
  const tested = new Set(
    listFiles('test', '.test.ts').map((path) => partOf(path.replace('.test', ''))),
  );
  const untested = [...folders].filter((folder) => !tested.has(folder) && folder !== 'main');
  expect(untested).toEqual([]);
});
