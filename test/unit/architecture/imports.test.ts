import { describe, expect, test } from 'vitest';
import { entryPoints } from '../../../infra/bundle.ts';
import { docsRoutes } from '../../../lib/routes.ts';
import {
  cycleIn,
  type Import,
  read,
  type Source,
  sourcesOf,
  withoutComments,
} from '../../support/architecture/sources.ts';

/**
 * The allowed imports. The first row whose path is a prefix of the file applies. `own` lists paths of the project,
 * `packages` and `builtins` external modules. A folder may always import itself unless it is `alone`.
 */
type Rule = {
  path: string;
  own?: string[];
  packages?: RegExp;
  builtins?: boolean;
  alone?: boolean;
  typesOnly?: boolean;
};

const awsTypes = 'aws-lambda';
/**
 * Operations import only functions of `lib/auth/` whose result depends on their arguments (an encryption also has a random
 * nonce). Functions with a clock, random ids, keys or a cache are passed to them.
 */
const pureAuth = [
  ...[
    'address-hash',
    'client-assertion',
    'content-reference',
    'encryption',
    'identity-proof',
    'mail-links',
    'secrets',
    'webhook-signature',
  ],
].map((name) => `lib/auth/${name}.ts`);
const rules: Rule[] = [
  { path: 'lib/routes.ts', alone: true, own: ['lib/route.ts', 'lib/grants.ts'], typesOnly: true },
  { path: 'lib/route.ts', alone: true, own: ['lib/grants.ts'], typesOnly: true },
  { path: 'lib/store/table/table.ts', alone: true },
  { path: 'lib/background.ts', alone: true, own: ['lib/grants.ts', 'lib/metrics.ts'], typesOnly: true },
  { path: 'lib/metrics.ts', alone: true },
  { path: 'lib/grants.ts', alone: true, own: ['lib/store/table/table.ts', 'lib/store/table/item-kinds.ts'] },
  { path: 'lib/cache.ts', alone: true },
  { path: 'lib/domain/', packages: /^zod$/ },
  {
    path: 'lib/store/',
    own: ['lib/domain/', 'lib/cache.ts'],
    packages: /^(@aws-sdk\/.*|uuid|zod(\/mini)?)$/,
    builtins: true,
  },
  {
    path: 'lib/operations/',
    own: ['lib/domain/', 'lib/store/', 'lib/content/', 'lib/files/', 'lib/email/sender.ts', ...pureAuth],
    packages: /^zod$/,
  },
  { path: 'lib/content/', own: ['lib/domain/', 'lib/web/words/words.ts'], packages: /^zod$/ },
  // It makes what the senders hand over.
  { path: 'lib/email/rendering.ts', own: ['lib/domain/', 'lib/operations/', 'lib/web/', ...pureAuth] },
  {
    path: 'lib/email/',
    own: ['lib/domain/values/'],
    packages: /^(nodemailer\/lib\/[\w-]+|@aws-sdk\/client-sesv2)$/,
    builtins: true,
  },
  {
    path: 'lib/files/',
    own: ['lib/domain/'],
    packages: /^(zod|csv-parse\/sync|csv-stringify\/sync)$/,
    builtins: true,
  },
  { path: 'lib/http/pages/', own: ['lib/domain/', 'lib/http/', 'lib/operations/', 'lib/web/', ...pureAuth] },
  {
    path: 'lib/http/',
    own: ['lib/domain/', 'lib/routes.ts', 'lib/route.ts', 'lib/metrics.ts'],
    packages: /^(zod|@middy\/core|aws-lambda|marked|marked-gfm-heading-id)$/,
  },
  { path: 'lib/auth/', own: ['lib/domain/', 'lib/cache.ts'], packages: /^(zod|jose)$/, builtins: true },
  { path: 'lib/webhooks/', own: ['lib/domain/'], builtins: true },
  {
    path: 'lib/web/',
    own: ['lib/domain/', 'lib/cache.ts'],
    packages: /^(hono|postcss|postcss-selector-parser)(\/|$)/,
    builtins: true,
  },
  // It only wires. What a function does is in the other folders.
  {
    path: 'lib/runtime/',
    own: [
      ...['lib/auth/', 'lib/domain/', 'lib/email/', 'lib/http/', 'lib/metrics.ts', 'lib/operations/', 'lib/store/'],
      'lib/webhooks/',
    ],
    packages: /^(zod\/mini|uuid|aws-lambda|@aws-lambda-powertools\/logger|@aws-sdk\/credential-provider-env)$/,
    builtins: true,
  },
  // The document lists all contracts.
  {
    path: 'functions/public/openapi.ts',
    own: ['functions/contracts.ts', 'lib/', 'examples/exchanges.json'],
    packages: /^zod$/,
  },
  {
    path: 'functions/',
    alone: true,
    own: [
      ...['lib/http/', 'lib/auth/', 'lib/operations/', 'lib/store/', 'lib/domain/', 'lib/routes.ts', 'lib/metrics.ts'],
      ...['lib/runtime/', 'lib/http/pages/', 'lib/web/', 'lib/email/rendering.ts', 'examples/exchanges.json'],
    ],
    packages: /^(aws-lambda|zod)$/,
  },
  {
    path: 'infra/',
    own: [
      ...[
        'lib/routes.ts',
        'lib/route.ts',
        'lib/background.ts',
        'lib/grants.ts',
        'lib/metrics.ts',
        'lib/store/table/table.ts',
        'lib/store/table/item-kinds.ts',
      ],
      ...['lib/domain/teams/frame-ancestors.ts', 'lib/domain/teams/retention.ts', 'lib/domain/access/scan-budget.ts'],
    ],
    packages: /^(aws-cdk-lib|constructs|cdk-nag|esbuild|zod)/,
    builtins: true,
  },
  // Partners copy the client, also into a browser. It depends only on the generated types.
  { path: 'client/' },
  { path: 'bin/content/', own: ['lib/domain/', 'lib/content/'], packages: /^zod$/ },
  // The stack with other settings than those of a stage.
  { path: 'bin/rehearse/settings-app.ts', own: ['infra/'], packages: /^aws-cdk-lib$/ },
  { path: 'bin/', own: ['lib/', 'client/', 'functions/contracts.ts'], packages: /./, builtins: true },
  { path: 'bench/', own: ['lib/', 'bin/', 'infra/', 'client/'], packages: /./, builtins: true },
];

const production = sourcesOf('lib', 'functions', 'infra', 'client', 'bin', 'bench');
const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
/** The rehearsal and the deployment are for developers. */
const deployed = sourcesOf('lib', 'functions', 'bin').filter(({ file }) => !/^bin\/(rehearse|deploy)\//.test(file));
const clientPackage = JSON.parse(read('client/package.json')) as { devDependencies: Record<string, string> };

function refusal(source: Source, imported: Import): string | undefined {
  const rule = rules.find((each) => source.file.startsWith(each.path));
  if (!rule) return 'no rule covers this file';
  const { specifier, file, typeOnly } = imported;
  if (file === undefined) {
    if (specifier.startsWith('node:')) return rule.builtins || rule.packages?.test('.') ? undefined : 'a builtin';
    return rule.packages?.test(specifier) ? undefined : 'a package that it may not use';
  }
  if (rule.typesOnly && !typeOnly) return 'more than types';
  if (!rule.alone && file.startsWith(rule.path)) return undefined;
  return rule.own?.some((path) => file.startsWith(path)) ? undefined : 'a part that it may not know';
}

describe('who may import whom', () => {
  test('every file imports only what its place allows', () => {
    const refused = production.flatMap((source) =>
      source.imports.flatMap((imported) => {
        const reason = refusal(source, imported);
        return reason ? [`${source.file} imports ${imported.specifier}: ${reason}`] : [];
      }),
    );
    expect(refused).toEqual([]);
  });

  test('a module is in lib only if a function or the list of functions needs it', () => {
    const byFile = new Map(production.map((source) => [source.file, source]));
    const needed = new Set([...Object.values(entryPoints), 'infra/bundle.ts']);
    for (const file of needed) for (const each of byFile.get(file)?.imports ?? []) if (each.file) needed.add(each.file);
    // What only commands, infra or tests need is with them.
    expect(sourcesOf('lib').flatMap(({ file }) => (needed.has(file) ? [] : [file]))).toEqual([]);
  });

  test('a subject imports only those before it, in the order of docs/data-model.md, but for the files that it explains', () => {
    const section = read('docs/data-model.md').split('## Subjects')[1]!.split('\n## ')[0]!;
    const order = /^values .*$/m.exec(section)![0].split(/ +/);
    const explained = section.split('\n').filter((line) => line.startsWith('- `'));
    const allowed = explained.flatMap((line) => {
      const subject = / imports? ([\w-]+):/.exec(line)![1];
      return [...line.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file]) => `lib/${file} imports ${subject}`);
    });
    const subjectOf = (file: string) => /^lib\/(?:domain|store|operations)\/([\w-]+)\//.exec(file)?.[1];
    const placed = sourcesOf('lib/domain', 'lib/store', 'lib/operations');
    const upward = placed.flatMap(({ file, imports }) =>
      imports.flatMap((imported) => {
        const [own, other] = [subjectOf(file), subjectOf(imported.file ?? '')];
        if (own === undefined || other === undefined) return [];
        return order.indexOf(other) > order.indexOf(own) ? [`${file} imports ${other}`] : [];
      }),
    );
    expect([...new Set(upward)].sort()).toEqual(allowed.sort());
    const subjects = new Set(placed.flatMap(({ file }) => subjectOf(file) ?? []));
    expect([...subjects].sort()).toEqual([...order].sort());
  });

  test('no file depends on itself by way of others', () => {
    expect(cycleIn(production)).toBeUndefined();
  });

  test('no file only passes on what others export', () => {
    // A package has one entry point, its index.
    const passing = production.filter(
      ({ file, imports }) => file !== 'client/index.ts' && imports.some((imported) => imported.reExport),
    );
    expect(passing.map(({ file }) => file)).toEqual([]);
  });

  test('the acceptance checks know nothing of the product, so its mistakes cannot become their expectations', () => {
    const suite = sourcesOf('test/judges/acceptance').filter(({ file }) => !file.endsWith('.test.ts'));
    expect(suite.length).toBeGreaterThan(10);
    const known = suite.flatMap(({ file, imports }) =>
      imports
        .filter((each) => each.file !== undefined && !each.file.startsWith('test/judges/acceptance/'))
        .map(({ specifier }) => `${file}: ${specifier}`),
    );
    expect(known).toEqual([]);
  });

  test('functions and commands use no package that is there for development only', () => {
    const used = deployed.flatMap(({ file, imports }) =>
      imports.flatMap(({ specifier, file: own, typeOnly }) => {
        const isTypes = typeOnly && specifier === awsTypes;
        return own !== undefined || specifier.startsWith('node:') || isTypes ? [] : [{ file, specifier }];
      }),
    );
    expect(used.filter(({ specifier }) => !(packageOf(specifier) in dependencies!))).toEqual([]);
  });

  // The clients of `lib/store/` have defaults.
  test('every client of AWS says how long its requests may take', () => {
    const speaking = sourcesOf('lib', 'functions', 'bin').filter(({ imports }) =>
      imports.some(({ specifier }) => specifier.startsWith('@aws-sdk/client-')),
    );
    const made = speaking.flatMap(({ file, text }) =>
      withoutComments(text)
        .split(/new (?=(?!Table|Queue|Bucket)\w+Client\()/)
        .slice(1)
        .map((rest) => ({ file, client: rest.split(';')[0]! })),
    );
    expect(made.length).toBeGreaterThan(5);
    expect(made.filter(({ client }) => !client.includes('requestHandler'))).toEqual([]);
  });

  test('every package that functions and commands may use is used', () => {
    const imported = deployed.flatMap(({ imports }) => imports.map(({ specifier }) => specifier));
    const shipped = docsRoutes.flatMap((route) => ('ships' in route ? route.ships : []));
    const used = new Set([...imported, ...shipped].map(packageOf));
    expect(Object.keys(dependencies!).filter((name) => !used.has(name))).toEqual([]);
  });

  test('everything else comes from a package that package.json names', () => {
    const named = { ...dependencies, ...devDependencies, ...clientPackage.devDependencies };
    const strange = [...production, ...sourcesOf('test')].flatMap(({ file, imports }) =>
      imports
        .filter((each) => each.file === undefined && !each.specifier.startsWith('node:') && each.specifier !== awsTypes)
        .filter(({ specifier }) => !(packageOf(specifier) in named))
        .map(({ specifier }) => `${file}: ${specifier}`),
    );
    expect(strange).toEqual([]);
  });
});

describe('how things are imported', () => {
  test('zod is imported whole under its name, so that bundles keep only what is used', () => {
    const zodImport = /from 'zod(?:\/mini)?'/g;
    const wrong = [...production, ...sourcesOf('test')].filter(({ file, text }) => {
      const all = text.match(zodImport)?.length ?? 0;
      const whole = text.match(/^import (?:type )?\* as z from 'zod(?:\/mini)?';$/gm)?.length ?? 0;
      return file !== 'test/unit/architecture/imports.test.ts' && all !== whole;
    });
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });

  test('the environment is read in one place', () => {
    const readers = sourcesOf('lib', 'functions').filter(({ text }) => /process\.env\b/.test(withoutComments(text)));
    expect(readers.map(({ file }) => file)).toEqual(['lib/runtime/base.ts']);
  });

  test('the domain has no clock, no randomness and no surroundings', () => {
    const impure =
      /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bcrypto\b|\bperformance\b|\bprocess\b|\bset(?:Timeout|Interval|Immediate)\b|\bfetch\(/;
    const offenders = sourcesOf('lib/domain', 'lib/content', 'bin/content').filter(({ text }) =>
      impure.test(withoutComments(text)),
    );
    expect(offenders.map(({ file }) => file)).toEqual([]);
  });
});

describe('operations', () => {
  const operations = sourcesOf('lib/operations', 'bin/admin/operations').map(({ file, text }) => ({
    file,
    text: withoutComments(text),
  }));
  const filesWith = (pattern: RegExp) => operations.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

  test('are handed the clock and randomness', () => {
    const impure = /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bcrypto\b|\bprocess\b|\bset(?:Timeout|Interval)\b/;
    expect(filesWith(impure)).toEqual([]);
    const ownRandomness = /import \{[^}]*\bnew(?:Secret|Slug)\b[^}]*\} from/;
    expect(filesWith(ownRandomness)).toEqual([]);
  });

  test('retry lost races in one way', () => {
    expect(filesWith(/\bpause\(|\bfor \(let (?:round|attempt)\b/)).toEqual(['lib/operations/retry.ts']);
  });
});

function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!;
}
