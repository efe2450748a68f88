// Language names: aliases in fences and display names. Pure. The Worker has the grammars.

/** Grammar → display name and aliases. */
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

const BY_NAME: ReadonlyMap<string, readonly [grammar: Grammar, shown: string]> = new Map(
  // TypeScript types the keys of an object literal as strings.
  (Object.keys(LANGUAGES) as Grammar[]).flatMap((grammar) => {
    const [shown, ...names] = LANGUAGES[grammar]
    return [grammar, ...names].map((name) => [name, [grammar, shownAs(name, shown)]] as const)
  }),
)

function shownAs(name: string, shown: string): string {
  return ['html', 'svg', 'toml', 'tsx', 'jsx'].includes(name) ? name.toUpperCase() : shown
}

/** From a fence's info string (`ts title="x"`): the grammar or null, and the display name, '' without one. */
export function languageOf(info: string): { readonly grammar: Grammar | null; readonly shown: string } {
  const name = info.trim().split(/[\s,{]/, 1)[0] ?? ''
  const known = BY_NAME.get(name.toLowerCase())
  if (!known) return { grammar: null, shown: name }
  return { grammar: known[0] === 'plaintext' ? null : known[0], shown: known[1] }
}
