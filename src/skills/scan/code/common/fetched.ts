// Traces the text that a script runs as code back to its source on the network: through variables, functions
// of the file and callbacks, a few steps deep. Reports nothing.

import { hostsOf, originOf } from '../../shell/shell-origin.ts'
import type { Origin } from '../../shell/shell-origin.ts'
import type { CodeLanguage, Resolve } from './language.ts'
import type { Names } from './names.ts'
import type { SyntaxNode, Syntax } from './syntax.ts'
import { argumentsOf, stringOf } from './values.ts'

/** Functions that decode unreadable text. */
const DECODES =
  /^(?:base64\.\w*decode\w*|binascii\.(?:unhexlify|a2b_\w+)|(?:zlib|gzip|lzma|bz2)\.decompress|codecs\.(?:decode|getdecoder)|marshal\.loads|builtins\.(?:bytes|bytearray)\.fromhex|globals\.(?:atob|unescape|Buffer\.from|String\.from(?:CharCode|CodePoint))|buffer\.Buffer\.from|zlib\.(?:inflate|inflateRaw|gunzip|brotliDecompress|unzip)Sync)$/
/** Expressions that build text character by character, or reverse it. */
const SPELLS = /\bchr\s?\(|\[\s?:\s?:\s?-1\s?\]|\.reverse\(\)/

export interface CodeFile {
  readonly syntax: Syntax
  readonly names: Names
  readonly language: CodeLanguage
  readonly resolve: Resolve
}

/** Where fetched text comes from; 'unknown' if the address is not in the source code. */
export type FetchSource = Origin | 'unknown'

const DEPTH_MAX = 4
const NODES_MAX = 256
/** Cost of visiting a node, in the unit of `syntax.spend`. */
const A_NODE = 10
const CALLS = /^(?:CallExpression|NewExpression)$/

/** The source from which a value was fetched; null if there is no sign of a fetch. */
export function fetchedIn(file: CodeFile, value: SyntaxNode, depth = 0): FetchSource | null {
  const { syntax, language, names } = file
  let found: FetchSource | null = null
  for (let node = value; node < value + NODES_MAX && syntax.within(node, value); node++) {
    syntax.spend(A_NODE)
    const name = syntax.name(node)
    if (CALLS.test(name) && isDecoder(file, node)) return isGiven(file, node) ? 'decoded' : 'unknown'
    if (CALLS.test(name) && isNetwork(file, node)) {
      const source = fetchedAddress(file, node)
      if (source !== 'unknown') return source
      // `urlopen(u).read()`: the address is in the inner call.
      found = source
    }
    if (name !== 'VariableName' || depth >= DEPTH_MAX) continue
    for (const given of names.givenTo(language.word(syntax.textOf(node)), node) ?? []) {
      const held = given.value ?? (isCalled(file, node) ? given.body : undefined)
      // Without this check, a name that occurs in its own value would cause an endless loop.
      if (held === undefined || syntax.within(node, held)) continue
      const source = fetchedIn(file, held, depth + 1)
      if (source !== null && source !== 'unknown') return source
      found ??= source
    }
  }
  return found
}

/** Like `fetchedIn`, for a node inside a callback of a fetch: `fetch(u).then((code) => eval(code))`. */
export function fetchedAround(file: CodeFile, node: SyntaxNode): FetchSource | null {
  const { syntax } = file
  for (let at = syntax.parent(node), up = 0; at >= 0 && up < ANCESTORS_MAX; at = syntax.parent(at), up++) {
    syntax.spend(A_NODE)
    if (!CALLS.test(syntax.name(at))) continue
    const [callee = -1] = syntax.kids(at)
    if (syntax.within(node, callee)) continue
    const source = isNetwork(file, at) ? fetchedAddress(file, at) : fetchedIn(file, callee)
    if (source !== null) return source
  }
  return null
}

const ANCESTORS_MAX = 32

export function isNetwork(file: CodeFile, call: SyntaxNode): boolean {
  return openedPaths(file, call).some((path) => file.language.does.network.test(path))
}

export function isDecoder(file: CodeFile, call: SyntaxNode): boolean {
  return openedPaths(file, call).some((path) => DECODES.test(path))
}

/** Whether the call has an actual input to decode; examples often use undefined variables or `...`. */
export function isGiven({ syntax, names, language }: CodeFile, call: SyntaxNode): boolean {
  const [first] = argumentsOf(syntax, call).positional
  if (first === undefined) return false
  const text = stringOf(syntax, first)
  if (text !== null) return text.length >= ENCODED_CHARS
  return (
    syntax.name(first) !== 'VariableName' ||
    names.givenTo(language.word(syntax.textOf(first)), first) !== null
  )
}

const ENCODED_CHARS = 8

/** Whether a value that is run as code is obfuscated. */
export function isSpelled({ syntax }: CodeFile, value: SyntaxNode): boolean {
  return SPELLS.test(syntax.textOf(value).slice(0, TEXT_CHARS))
}

export function openedPaths({ syntax, resolve }: CodeFile, call: SyntaxNode): readonly string[] {
  const [first, second] = syntax.kids(call)
  return resolve((syntax.name(call) === 'NewExpression' ? second : first) ?? -1)
}

function isCalled({ syntax }: CodeFile, name: SyntaxNode): boolean {
  return syntax.kids(syntax.parent(name))[0] === name && CALLS.test(syntax.name(syntax.parent(name)))
}

const ADDRESS = /https?:\/\/[^\s"'`]{1,400}/
const TEXT_CHARS = 1_000

/** Where a call fetches from, by the address in its arguments or in the variables it is called with. */
export function fetchedAddress({ syntax, language, names }: CodeFile, call: SyntaxNode): FetchSource {
  const { positional, named } = argumentsOf(syntax, call)
  for (const argument of [...positional, ...named.values()].slice(0, ARGUMENTS_MAX)) {
    const given =
      syntax.name(argument) === 'VariableName'
        ? (names.givenTo(language.word(syntax.textOf(argument)), argument) ?? [])
        : []
    for (const node of [argument, ...given.map(({ value }) => value ?? -1)]) {
      if (originOf(syntax.textOf(node).slice(0, TEXT_CHARS)) === 'decoded') return 'decoded'
      const address = ADDRESS.exec(syntax.textOf(node).slice(0, TEXT_CHARS))?.[0]
      if (address !== undefined) return hostsOf(address)
    }
  }
  return 'unknown'
}

const ARGUMENTS_MAX = 8
