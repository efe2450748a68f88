// The import order of the house (docs/architecture.md), and the rules every file keeps.

// One row a folder: what it may import besides lib/ and the root files (limits.ts, env.ts).
const MAY: Record<string, readonly string[]> = {
  lib: [],
  settings: [],
  net: ['settings'],
  secrets: [],
  agent: [],
  model: ['agent'],
  skills: [],
  files: ['agent'],
  sandbox: ['agent', 'files', 'skills'],
  webhooks: [],
  page: ['client'],
  client: [],
  tools: ['agent', 'skills', 'files', 'sandbox', 'net', 'secrets'],
  thread: ['agent', 'model', 'settings', 'tools', 'skills', 'files', 'sandbox', 'webhooks', 'net', 'secrets'],
  workspace: ['agent', 'model', 'settings', 'tools', 'skills', 'webhooks', 'secrets'],
  http: ['agent', 'model', 'settings', 'skills', 'files', 'webhooks', 'tools', 'net', 'secrets'],
}
// Inside skills/, the way of a skill: what each part may import of the others.
const SKILLS: Record<string, readonly string[]> = {
  format: [],
  search: ['format'],
  package: ['format', 'search'],
  scan: ['format', 'package'],
  check: ['format', 'package', 'scan'],
  store: ['format', 'package'],
  view: ['format', 'package', 'search', 'store'],
  catalog: ['format', 'package', 'search', 'store', 'view'],
  publish: ['check', 'format', 'package', 'search', 'store', 'view'],
  share: ['format', 'package', 'store', 'view'],
}
/** What of the catalog's object the Worker's side sees. */
const CATALOG_DOOR = ['!**/catalog/api.ts', '!**/catalog/tools-api.ts']
/** A folder of tools/, and not the HTTP layer. */
const OWN_TOOLS = ['!**/tools/http/**', '!./http/**']
// Durable Objects and shapes that are known by type only.
const BY_TYPE: Record<string, readonly string[]> = {
  thread: ['workspace'],
  workspace: ['thread'],
  webhooks: ['thread', 'agent'],
  page: ['agent', 'thread', 'skills', 'workspace', 'settings'],
  client: ['agent', 'thread', 'skills', 'workspace', 'webhooks'],
  http: ['thread', 'workspace'],
}
// These folders describe their object in api.ts, which speaks the nouns of others by type.
const OWNER: Record<string, string> = { hono: 'http', 'hono/*': 'http', '@anthropic-ai/*': 'model' }
const PLATFORM = [
  'src/sandbox/*/main.ts',
  'src/skills/catalog/catalog.ts',
  'src/thread/thread.ts',
  'src/workspace/workspace.ts',
  'src/webhooks/hook.ts',
]

function partOf(file: string): string | undefined {
  const part = file.split('/')[2] ?? ''
  return part in SKILLS ? part : undefined
}

function layer(folder: string, platform: boolean, part?: string): Record<string, unknown> {
  const types = BY_TYPE[folder] ?? []
  const mine = part === undefined ? [] : [part, ...(SKILLS[part] ?? [])]
  const others = part === undefined ? [] : Object.keys(SKILLS).filter((other) => !mine.includes(other))
  const may = [folder, 'lib', ...types, ...(MAY[folder] ?? [])]
  const folders = Object.keys(MAY)
    .filter((other) => !may.includes(other))
    .map((other) => `**/${other}/**`)
    // The page has folders of this name of its own: a view's, and its state's.
    .flatMap((pattern) =>
      folder === 'page' && pattern === '**/files/**'
        ? [pattern, '!../files/**', '!../state/files/**']
        : pattern,
    )
  const packages = Object.keys(OWNER)
    .filter((name) => OWNER[name] !== folder)
    .concat(platform ? [] : 'cloudflare:*')
  return {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            // What begins so lies in the same folder, however its own folders are called.
            group: [...folders, ...packages, ...(may.includes('tools') ? OWN_TOOLS : []), '!./**'],
            message: `${folder}/ may not import this (docs/architecture.md).`,
          },
          ...others.map((other) => ({
            group: [`../${other}/**`, ...(other === 'catalog' ? CATALOG_DOOR : [])],
            message: `skills/${part}/ may not import skills/${other}/ (docs/architecture.md).`,
          })),
          ...types.map((other) => ({
            group: [`**/${other}/**`],
            allowTypeImports: true,
            message: `${folder}/ knows ${other}/ by type only.`,
          })),
        ],
      },
    ],
  }
}

export default {
  plugins: ['typescript', 'import', 'unicorn'],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'max-lines': ['error', { max: 300 }],
    'max-depth': ['error', 4],
    'no-control-regex': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/only-throw-error': 'error',
    'unicorn/prefer-node-protocol': 'error',
  },
  ignorePatterns: ['dist', 'node_modules', '.wrangler', 'skills/public', 'test/fixtures'],
  overrides: [
    // Overrides of one rule do not merge: the last one that matches a file replaces the others whole.
    {
      files: [
        'src/index.ts',
        'src/files/documents/child/*main.ts',
        'src/sandbox/*/main.ts',
        '*.config.ts',
        'test/**/*.config.ts',
      ],
      rules: { 'import/no-default-export': 'off' },
    },
    { files: ['test/**'], rules: { 'max-lines': ['error', { max: 400 }] } },
    {
      // It runs in QuickJS, makes Node's modules of npm's packages, and like those takes any value from anybody.
      files: ['src/sandbox/node/guest/**'],
      rules: {
        'typescript/no-base-to-string': 'off',
        'typescript/unbound-method': 'off',
        'typescript/only-throw-error': 'off',
        'unicorn/prefer-node-protocol': 'off',
      },
    },
    // One table of numbers; splitting it would hide them.
    { files: ['src/limits.ts'], rules: { 'max-lines': 'off' } },
    ...Object.keys(MAY).map((folder) => ({ files: [`src/${folder}/**`], rules: layer(folder, false) })),
    ...Object.keys(SKILLS).map((part) => ({
      files: [`src/skills/${part}/**`],
      rules: layer('skills', false, part),
    })),
    ...PLATFORM.map((file) => ({
      files: [file],
      rules: layer(file.split('/')[1] ?? '', true, partOf(file)),
    })),
  ],
}
