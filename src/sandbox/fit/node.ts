// Lists what a JavaScript or TypeScript file needs and the sandbox does not offer: packages, Node modules that are
// stubs, and the network. Reads the text only and follows imports of the skill's own files.

import {
  parentFolder,
  IMPORTS_MAX,
  Needs,
  NO_NETWORK,
  NO_PROGRAMS,
  normalPath,
  joinPath,
  type SkillScripts,
} from './needs.ts'

/** Node modules that src/sandbox/node/guest/builtins.ts implements, in full or in the parts that scripts use. */
const HERE = new Set(
  `assert async_hooks buffer console constants crypto diagnostics_channel events fs module os path perf_hooks process
querystring readline stream string_decoder timers tty url util zlib`.split(/\s+/),
)
/** Stubs: importing one works; calling any of its functions throws an error with this reason. */
const IN_NAME: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['child_process', 'cluster', 'worker_threads'].map((name) => [name, NO_PROGRAMS])),
  ...Object.fromEntries('dgram dns http http2 https net tls'.split(' ').map((name) => [name, NO_NETWORK])),
  ...Object.fromEntries(
    'inspector punycode repl sqlite v8 vm wasi'.split(' ').map((name) => [name, 'not available']),
  ),
}
const PACKAGE = 'no packages are installed; plain JavaScript files next to the script can be imported'
const ENDINGS = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.json', '/index.js', '/index.ts']

const STATIC =
  /^(?:import|export)[ \t]{1,20}(?!type\b)(?:[^'"();]{0,500}?\bfrom[ \t]{0,20})?['"]([^'"\n]+)['"]/gm
const REQUIRED = /^(.{0,500}?)\brequire\(['"]([^'"\n]+)['"]\)/gm
const LATER = /\bimport\(\s*['"]([^'"\n]+)['"]/g
const FETCH = /(?<![\w$.]|function )fetch\(/

export function nodeNeeds(path: string, skill: SkillScripts, seen: Set<string> = new Set()): Needs {
  const needs = new Needs()
  const text = skill.texts.get(path)
  if (text === undefined || seen.has(path)) return needs
  seen.add(path)
  // Comments and template literals are ignored: scripts often contain the source of other scripts.
  const plain = withoutComments(text)
    .replace(/^[ \t]*\/\/.*$/gm, '')
    .replace(/`(?:\\[\s\S]|[^`\\])*`/g, '``')
  const found = [
    ...[...plain.matchAll(STATIC)].map(([, name = '']) => [name, true] as const),
    ...[...plain.matchAll(REQUIRED)].map(
      ([, before = '', name = '']) => [name, !/^\s|=>|\bfunction\b|\btry\b/.test(before)] as const,
    ),
    ...[...plain.matchAll(LATER)].map(([, name = '']) => [name, false] as const),
  ]
  const once = new Map(found.toReversed().map((one) => [one.join(' '), one]))
  for (const [name, starts] of [...once.values()].toReversed().slice(0, IMPORTS_MAX))
    judge(name, starts, path, skill, seen, needs)
  if (FETCH.test(plain)) needs.add('fetch', NO_NETWORK, /^\S.*\bawait fetch\(/m.test(plain))
  return needs
}

/** In linear time; a comment that never ends stays in place. */
function withoutComments(text: string): string {
  let plain = ''
  for (let at = 0; ;) {
    const from = text.indexOf('/*', at)
    const to = from === -1 ? -1 : text.indexOf('*/', from + 2)
    if (to === -1) return plain + text.slice(at)
    plain += text.slice(at, from)
    at = to + 2
  }
}

function judge(
  name: string,
  starts: boolean,
  path: string,
  skill: SkillScripts,
  seen: Set<string>,
  needs: Needs,
): void {
  if (name.startsWith('.')) {
    const base = normalPath(joinPath(parentFolder(path), name))
    const file =
      base === null ? undefined : ENDINGS.map((ending) => base + ending).find((one) => skill.paths.has(one))
    if (file !== undefined) needs.take(nodeNeeds(file, skill, seen), starts)
    else if (base !== null && !builtFrom(base, skill)) needs.add(name, 'no such file in the skill', starts)
    return
  }
  if (name.startsWith('/') || name.startsWith('file:')) return
  const [top = ''] = name.replace(/^node:/, '').split('/')
  if (HERE.has(top)) return
  if (top === 'test' && name.startsWith('node:')) needs.add(name, 'not here', starts)
  else if (Object.hasOwn(IN_NAME, top)) needs.add(top, IN_NAME[top] ?? '', false)
  else if (name.startsWith('node:')) needs.add(name, 'not here', starts)
  else if (!installed(name, path, skill)) needs.add(name, PACKAGE, starts)
}

/** TypeScript may import './x.js' where the file is './x.ts'. */
function builtFrom(base: string, { paths }: SkillScripts): boolean {
  return paths.has(base.replace(/\.([cm]?)js$/, '.$1ts'))
}

function installed(name: string, path: string, { paths }: SkillScripts): boolean {
  const names = name.split('/')
  const folder = `node_modules/${names.slice(0, name.startsWith('@') ? 2 : 1).join('/')}/`
  const all = [...paths]
  for (let at = parentFolder(path); ; at = parentFolder(at)) {
    if (all.some((one) => one.startsWith(joinPath(at, folder)))) return true
    if (at === '') return false
  }
}
