// `diff`: shows the differences of two files or folders in GNU's formats.

import { Failed, Unsupported, type Command, type CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { bytesOfLatin1 } from '../io/latin1.ts'
import { latin1OfText } from '../io/latin1.ts'
import { readAll } from '../io/reader.ts'
import { formatTime } from '../time/format.ts'
import { zoneOf } from '../time/zone.ts'
import { wildcard } from '../wildcard.ts'
import { changesBetween, type Change } from './changes.ts'
import { contextual, unified } from './context.ts'
import { classesOf, linesOf } from './lines.ts'
import { optionsOf, type DiffOptions } from './options.ts'
import { edScript, formatted, normal, rcs, type Sides } from './shown.ts'
import { sideBySide } from './side-by-side.ts'

/** A file to compare. A missing file counts as empty. */
interface Compared {
  readonly name: string
  readonly bytes: Uint8Array
  readonly mtimeMs: number
}

/** Number of bytes in which a NUL shows that a file is binary. */
const BINARY_BYTES = 32_768
const NOTHING = { allSpace: false, spaceChange: false, trailingSpace: false, letterCase: false }
const TROUBLE = 2

export const diff: Command = {
  async run(io) {
    const options = optionsOf(io.args)
    const [one, other, extra] = options.operands
    const usage = "\ndiff: Try 'diff --help' for more information."
    if (one === undefined) throw new Failed(`missing operand after 'diff'${usage}`, TROUBLE)
    if (other === undefined) throw new Failed(`missing operand after '${one}'${usage}`, TROUBLE)
    if (extra !== undefined) throw new Failed(`extra operand '${extra}'${usage}`, TROUBLE)
    if (one === '-' && other === '-') return 0
    return comparePaths(io, options, one, other)
  },
}

async function comparePaths(
  io: CommandIo,
  options: DiffOptions,
  one: string,
  other: string,
): Promise<number> {
  const [isFolder, isOtherFolder] = [await isDirectory(io, one), await isDirectory(io, other)]
  if (isFolder && isOtherFolder) return compareFolders(io, options, one, other, true)
  const inside = (folder: string, name: string): string =>
    `${folder.replace(/(?<=.)\/+$/, '')}/${name.replace(/^.*\//s, '')}`
  // If only one argument is a folder, the file of the same name in it is compared.
  const left = isFolder && other !== '-' ? inside(one, other) : one
  const right = isOtherFolder && one !== '-' ? inside(other, one) : other
  return compareFiles(io, options, left, right)
}

async function isDirectory(io: CommandIo, path: string): Promise<boolean> {
  return path !== '-' && (await io.files.stat(path))?.kind === 'directory'
}

async function compareFolders(
  io: CommandIo,
  options: DiffOptions,
  one: string,
  other: string,
  top: boolean,
): Promise<number> {
  if (!top && !options.recursive) {
    await io.stdout.write(`Common subdirectories: ${one} and ${other}\n`)
    return 0
  }
  const excluded = options.exclude.map((pattern) => wildcard(pattern))
  const left = await namesIn(io, one)
  const right = await namesIn(io, other)
  const names = [...new Set([...left, ...right])].filter((name) => !excluded.some((fits) => fits(name)))
  let exitCode = 0
  for (const name of names.toSorted((a, b) => (latin1OfText(a) < latin1OfText(b) ? -1 : 1))) {
    const [path, otherPath] = [joined(one, name), joined(other, name)]
    const [isFolder, isOtherFolder] = [await isDirectory(io, path), await isDirectory(io, otherPath)]
    const missing = !left.has(name) || !right.has(name)
    let code = 1
    // With -N, a folder that exists on one side only is compared with an empty folder.
    const areFolders = missing && options.newFiles ? isFolder || isOtherFolder : isFolder && isOtherFolder
    if (missing && !options.newFiles)
      await io.stdout.write(`Only in ${left.has(name) ? one : other}: ${name}\n`)
    else if (areFolders) code = await compareFolders(io, options, path, otherPath, false)
    else if (isFolder || isOtherFolder) {
      const kind = (folder: boolean): string => (folder ? 'directory' : 'regular file')
      await io.stdout.write(
        `File ${path} is a ${kind(isFolder)} while file ${otherPath} is a ${kind(isOtherFolder)}\n`,
      )
    } else {
      const names = [options.labels[0] ?? path, options.labels[1] ?? otherPath]
      code = await compareFiles(
        io,
        options,
        path,
        otherPath,
        `diff ${[...options.written, ...names.map(headerName)].join(' ')}\n`,
      )
    }
    exitCode = Math.max(exitCode, code)
  }
  return exitCode
}

async function namesIn(io: CommandIo, folder: string): Promise<ReadonlySet<string>> {
  return new Set((await io.files.stat(folder)) ? await io.files.list(folder) : [])
}

function joined(folder: string, name: string): string {
  return folder.endsWith('/') ? folder + name : `${folder}/${name}`
}

/** Prints `before` in front of any differences. Returns the exit code. */
async function compareFiles(
  io: CommandIo,
  options: DiffOptions,
  one: string,
  other: string,
  before = '',
): Promise<number> {
  const files = [await opened(io, options, one), await opened(io, options, other)]
  const [left, right] = files
  if (!left || !right) return TROUBLE
  const say = async (text: string): Promise<void> => io.stdout.write(text)
  const names =
    options.labels.length > 0 ? [options.labels[0] ?? one, options.labels[1] ?? other] : [one, other]
  const [leftName = '', rightName = ''] = names
  if (same(left.bytes, right.bytes)) return equal()
  const binary =
    !options.text && [left, right].some(({ bytes }) => bytes.subarray(0, BINARY_BYTES).includes(0))
  if (binary) {
    await say(
      options.brief
        ? `Files ${leftName} and ${rightName} differ\n`
        : `Binary files ${leftName} and ${rightName} differ\n`,
    )
    return 1
  }
  const sides: Sides = [
    linesOf(left.bytes, options.stripsReturns),
    linesOf(right.bytes, options.stripsReturns),
  ]
  const contexts = options.style === 'unified' || options.style === 'context'
  const raw = classesOf(sides, { ...NOTHING, lineEnd: options.ignoring.lineEnd })
  const found = await changesBetween(
    classesOf(sides, options.ignoring),
    raw,
    contexts ? options.context : 0,
    options.minimal,
  )
  const changes = options.blankLines
    ? withoutBlanks(found, sides, contexts || options.style === 'columns')
    : found
  const prints = options.style === 'columns' || options.style === 'formats'
  const unfinished = options.style === 'ed' ? sides.findIndex(({ unterminated }) => unterminated) : -1
  if (changes.length === 0 && unfinished === -1) {
    if (prints && !options.brief) await write(io, shown(options, [], sides, []))
    return equal()
  }
  if (options.brief) {
    await say(`Files ${leftName} and ${rightName} differ\n`)
    return 1
  }
  const headers = files.map(
    (file, at) =>
      options.labels[at] ?? `${headerName(file?.name ?? '')}\t${timeText(io, file?.mtimeMs ?? 0)}`,
  )
  if (before !== '') await say(before)
  await write(io, shown(options, changes, sides, headers))
  if (unfinished !== -1) {
    await io.stderr.write(`diff: ${[one, other][unfinished] ?? ''}: No newline at end of file\n\n`)
    return TROUBLE
  }
  return 1

  async function equal(): Promise<number> {
    if (options.saysEqual) await say(`Files ${leftName} and ${rightName} are identical\n`)
    return 0
  }
}

function shown(
  options: DiffOptions,
  changes: readonly Change[],
  sides: Sides,
  headers: readonly string[],
): string {
  const names = headers.map((name) => latin1OfText(name))
  switch (options.style) {
    case 'normal':
      return normal(changes, sides)
    case 'unified':
      return unified(changes, sides, options.context, names)
    case 'context':
      return contextual(changes, sides, options.context, names)
    case 'ed':
      return edScript(changes, sides)
    case 'rcs':
      return rcs(changes, sides)
    case 'columns':
      return sideBySide(changes, sides, options.columns)
    case 'formats': {
      const { formats } = options
      const bytes = {
        old: latin1OfText(formats.old),
        new: latin1OfText(formats.new),
        same: latin1OfText(formats.same),
      }
      return formatted(changes, sides, bytes)
    }
  }
}

async function write(io: CommandIo, text: string): Promise<void> {
  await io.stdout.write(bytesOfLatin1(text))
}

/** For `-B`: removes changes that affect blank lines only. */
function withoutBlanks(
  changes: readonly Change[],
  [one, other]: Sides,
  contexts: boolean,
): readonly Change[] {
  const blank = (lines: readonly string[], from: number, count: number): boolean =>
    lines.slice(from, from + count).every((line) => line === '')
  const counted = changes.filter(
    ({ left, removed, right, added }) =>
      !blank(one.lines, left, removed) || !blank(other.lines, right, added),
  )
  if (counted.length > 0 && counted.length < changes.length && contexts)
    throw new Unsupported('diff -B with context and both kinds of changes', 'diff -B without context')
  return counted
}

async function opened(io: CommandIo, options: DiffOptions, name: string): Promise<Compared | null> {
  try {
    if (name === '-') return { name, bytes: await readAll(io.stdin), mtimeMs: io.now() }
    const status = await io.files.stat(name)
    if (!status && options.newFiles && !name.startsWith('/dev/'))
      return { name, bytes: new Uint8Array(), mtimeMs: 0 }
    const bytes = await readAll(await io.files.open(name))
    return { name, bytes, mtimeMs: status?.mtimeMs ?? io.now() }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    await io.stderr.write(`diff: ${name}: ${error.message}\n`)
    return null
  }
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

function headerName(name: string): string {
  if (/["\\\p{Cc}]/u.test(name)) throw new Unsupported(`diff with context of the file ${name}`, '--label')
  return name.includes(' ') ? `"${name}"` : name
}

function timeText(io: CommandIo, ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const nanoseconds = Math.round((ms - seconds * 1000) * 1_000_000)
  const time = { seconds, nanoseconds, zone: zoneOf(io.env['TZ'], 'diff'), command: 'diff' }
  return formatTime('%Y-%m-%d %H:%M:%S.%N %z', time)
}
