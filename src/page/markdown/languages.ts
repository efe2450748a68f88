// The names of programming languages: aliases used in fences, and display names. Pure. The Worker contains the grammars.

/** For each grammar: its display name, then its aliases. */
const LANGUAGES = {
  bash: ['Shell', 'sh', 'shell', 'zsh', 'console', 'shellsession'],
  c: ['C', 'h'],
  cpp: ['C++', 'c++', 'cc', 'hpp'],
  csharp: ['C#', 'cs', 'c#'],
  css: ['CSS'],
  diff: ['Diff', 'patch'],
  dockerfile: ['Dockerfile', 'docker'],
  go: ['Go', 'golang'],
  ini: ['INI', 'toml', 'conf'],
  java: ['Java'],
  javascript: ['JavaScript', 'js', 'jsx', 'mjs', 'cjs'],
  json: ['JSON', 'json5', 'jsonc', 'jsonl'],
  kotlin: ['Kotlin', 'kt'],
  markdown: ['Markdown', 'md'],
  php: ['PHP'],
  plaintext: ['Text', 'text', 'txt', 'plain'],
  python: ['Python', 'py', 'python3'],
  ruby: ['Ruby', 'rb'],
  rust: ['Rust', 'rs'],
  sql: ['SQL', 'postgresql', 'sqlite', 'mysql'],
  swift: ['Swift'],
  typescript: ['TypeScript', 'ts', 'tsx', 'mts'],
  xml: ['XML', 'html', 'svg', 'xhtml', 'vue'],
  yaml: ['YAML', 'yml'],
} as const

export type Grammar = keyof typeof LANGUAGES

const LANGUAGE_BY_NAME: ReadonlyMap<string, readonly [grammar: Grammar, displayName: string]> = new Map(
  // The cast is needed because Object.keys returns strings.
  (Object.keys(LANGUAGES) as Grammar[]).flatMap((grammar) => {
    const [displayName, ...names] = LANGUAGES[grammar]
    return [grammar, ...names].map((name) => [name, [grammar, displayNameOf(name, displayName)]] as const)
  }),
)

function displayNameOf(name: string, displayName: string): string {
  return ['html', 'svg', 'toml', 'tsx', 'jsx'].includes(name) ? name.toUpperCase() : displayName
}

function languageName(info: string): string {
  return (info.trim().split(/[\s,{]/, 1)[0] ?? '').toLowerCase()
}

/**
 * The language named by a fence's info string, such as `ts title="x"`. The grammar is null if it is unknown or plain text; the
 * display name is '' if no language is named.
 */
export function languageOf(info: string): { readonly grammar: Grammar | null; readonly displayName: string } {
  const name = info.trim().split(/[\s,{]/, 1)[0] ?? ''
  const entry = LANGUAGE_BY_NAME.get(languageName(info))
  if (!entry) return { grammar: null, displayName: /^[ct]sv$/.test(name) ? name.toUpperCase() : name }
  return { grammar: entry[0] === 'plaintext' ? null : entry[0], displayName: entry[1] }
}

/** File extensions of the grammars whose name is not their extension. */
const EXTENSIONS: Readonly<Partial<Record<Grammar, string>>> = {
  bash: 'sh',
  csharp: 'cs',
  javascript: 'js',
  kotlin: 'kt',
  markdown: 'md',
  plaintext: 'txt',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  typescript: 'ts',
  yaml: 'yml',
}
/** Aliases that are the extension of another kind of file than their grammar's. */
const OWN_EXTENSIONS = new Set('h hpp html jsonl jsx mjs cjs mts svg toml tsx vue xhtml zsh'.split(' '))

/** The name of the file in which a code block is downloaded. It never contains a part of the info string. */
export function downloadName(info: string): string {
  const name = languageName(info)
  const grammar = LANGUAGE_BY_NAME.get(name)?.[0]
  if (grammar === undefined) return 'code.txt'
  if (grammar === 'dockerfile') return 'Dockerfile'
  return `code.${OWN_EXTENSIONS.has(name) ? name : (EXTENSIONS[grammar] ?? grammar)}`
}
