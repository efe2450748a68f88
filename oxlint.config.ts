// The rules that every file keeps.

// Which folder may import which is checked by scripts/check/order.ts; these packages have one owner each.
const OWNER: Record<string, string> = {
  croner: 'schedules',
  hono: 'api',
  'hono/*': 'api',
  '@anthropic-ai/*': 'model',
}
const PLATFORM = [
  'src/sandbox/*/main.ts',
  'src/skills/catalog/catalog.ts',
  'src/thread/thread.ts',
  'src/thread/staged-upload.ts',
  'src/workspace/managed-workspace.ts',
  'src/backup/stored-object.ts',
]

function packages(folder: string | null, platform: boolean): Record<string, unknown> {
  const group = Object.keys(OWNER)
    .filter((name) => OWNER[name] !== folder)
    .concat(platform ? [] : 'cloudflare:*')
  const message = 'Another folder owns this package (docs/architecture.md).'
  return { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] }
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
    { files: ['src/**'], rules: packages(null, false) },
    ...Object.values(OWNER).map((folder) => ({
      files: [`src/${folder}/**`],
      rules: packages(folder, false),
    })),
    { files: PLATFORM, rules: packages(null, true) },
  ],
}
