// Traces the text that a script runs as code back to its source on the network: through variables, functions
// of the file and callbacks, a few steps deep. Reports nothing.

import { originOfHosts, originOfCommand } from '../../shell/shell-origin.ts'
import type { Origin } from '../../shell/shell-origin.ts'
import type { CodeLanguage, Resolve } from './language.ts'
import type { Names } from './names.ts'
import type { SyntaxNode, Syntax } from './syntax.ts'
import { argumentsOf, stringOf } from './values.ts'

/** Functions that decode unreadable text. */
const DECODES =
  /^(?:base64\.\w*decode\w*|binascii\.(?:unhexlify|a2b_\w+)|(?:zlib|gzip|lzma|bz2)\.decompress|codecs\.(?:decode|getdecoder)|marshal\.loads|builtins\.(?:bytes|bytearray)\.fromhex|globals\.(?:atob|unescape|Buffer\.from|String\.from(?:CharCode|CodePoint))|buffer\.Buffer\.from|zlib\.(?:inflate|inflateRaw|gunzip|brotliDecompress|unzip)Sync)$/
/** Expressions that build text character by character, or reverse it. */
const OBFUSCATES = /\bchr\s?\(|\[\s?:\s?:\s?-1\s?\]|\.reverse\(\)/

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
const NODE_COST = 10
const CALL_KINDS = /^(?:CallExpression|NewExpression)$/

/** The source from which a value was fetched; null if there is no sign of a fetch. */
export function findFetchSource(file: CodeFile, value: SyntaxNode, depth = 0): FetchSource | null {
  const { syntax, language, names } = file
  let fallback: FetchSource | null = null
  for (let node = value; node < value + NODES_MAX && syntax.isInside(node, value); node++) {
    syntax.spend(NODE_COST)
    const name = syntax.name(node)
    if (CALL_KINDS.test(name) && isDecoder(file, node)) return hasInput(file, node) ? 'decoded' : 'unknown'
    if (CALL_KINDS.test(name) && isNetwork(file, node)) {
      const source = fetchSourceOf(file, node)
      if (source !== 'unknown') return source
      // `urlopen(u).read()`: the address is in the inner call.
      fallback = source
    }
    if (name !== 'VariableName' || depth >= DEPTH_MAX) continue
    for (const { value, body } of names.valuesOfName(language.normalizeName(syntax.textOf(node)), node) ??
      []) {
      const definition = value ?? (isCallee(file, node) ? body : undefined)
      // Without this check, a name that occurs in its own value would cause an endless loop.
      if (definition === undefined || syntax.isInside(node, definition)) continue
      const source = findFetchSource(file, definition, depth + 1)
      if (source !== null && source !== 'unknown') return source
      fallback ??= source
    }
  }
  return fallback
}

/** Like `findFetchSource`, for a node inside a callback of a fetch: `fetch(u).then((code) => eval(code))`. */
export function findFetchSourceAround(file: CodeFile, node: SyntaxNode): FetchSource | null {
  const { syntax } = file
  for (
    let ancestor = syntax.parent(node), level = 0;
    ancestor >= 0 && level < ANCESTORS_MAX;
    ancestor = syntax.parent(ancestor), level++
  ) {
    syntax.spend(NODE_COST)
    if (!CALL_KINDS.test(syntax.name(ancestor))) continue
    const [callee = -1] = syntax.children(ancestor)
    if (syntax.isInside(node, callee)) continue
    const source = isNetwork(file, ancestor) ? fetchSourceOf(file, ancestor) : findFetchSource(file, callee)
    if (source !== null) return source
  }
  return null
}

const ANCESTORS_MAX = 32

export function isNetwork(file: CodeFile, call: SyntaxNode): boolean {
  return calleePaths(file, call).some((path) => file.language.effects.network.test(path))
}

export function isDecoder(file: CodeFile, call: SyntaxNode): boolean {
  return calleePaths(file, call).some((path) => DECODES.test(path))
}

/** Whether the call has an actual input to decode; examples often use undefined variables or `...`. */
export function hasInput({ syntax, names, language }: CodeFile, call: SyntaxNode): boolean {
  const [first] = argumentsOf(syntax, call).positional
  if (first === undefined) return false
  const text = stringOf(syntax, first)
  if (text !== null) return text.length >= ENCODED_MIN_CHARS
  return (
    syntax.name(first) !== 'VariableName' ||
    names.valuesOfName(language.normalizeName(syntax.textOf(first)), first) !== null
  )
}

const ENCODED_MIN_CHARS = 8

/** Whether a value that is run as code is obfuscated. */
export function isObfuscated({ syntax }: CodeFile, value: SyntaxNode): boolean {
  return OBFUSCATES.test(syntax.textOf(value).slice(0, TEXT_MAX_CHARS))
}

export function calleePaths({ syntax, resolve }: CodeFile, call: SyntaxNode): readonly string[] {
  const [first, second] = syntax.children(call)
  return resolve((syntax.name(call) === 'NewExpression' ? second : first) ?? -1)
}

function isCallee({ syntax }: CodeFile, name: SyntaxNode): boolean {
  return syntax.children(syntax.parent(name))[0] === name && CALL_KINDS.test(syntax.name(syntax.parent(name)))
}

const ADDRESS = /https?:\/\/[^\s"'`]{1,400}/
const TEXT_MAX_CHARS = 1_000

/** Where a call fetches from, by the address in its arguments or in the variables it is called with. */
export function fetchSourceOf({ syntax, language, names }: CodeFile, call: SyntaxNode): FetchSource {
  const { positional, named } = argumentsOf(syntax, call)
  for (const argument of [...positional, ...named.values()].slice(0, ARGUMENTS_MAX)) {
    const nameValues =
      syntax.name(argument) === 'VariableName'
        ? (names.valuesOfName(language.normalizeName(syntax.textOf(argument)), argument) ?? [])
        : []
    for (const node of [argument, ...nameValues.map(({ value }) => value ?? -1)]) {
      if (originOfCommand(syntax.textOf(node).slice(0, TEXT_MAX_CHARS)) === 'decoded') return 'decoded'
      const address = ADDRESS.exec(syntax.textOf(node).slice(0, TEXT_MAX_CHARS))?.[0]
      if (address !== undefined) return originOfHosts(address)
    }
  }
  return 'unknown'
}

const ARGUMENTS_MAX = 8
