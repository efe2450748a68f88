// Pathname expansion: replaces patterns in the fields of a command by file names.

import { compilePattern, type GlobPattern } from '../pattern/match.ts'
import { hasPattern, quotePattern } from '../pattern/quote.ts'
import type { CommandFiles } from '../../commands/io/files.ts'
import { FileError } from '../../commands/io/files.ts'
import { CommandError } from '../state/flow.ts'
import { variableText } from '../state/assign.ts'
import type { Shell } from '../state/shell.ts'
import { byCodePoints } from '../state/variables.ts'
import type { Field } from './sinks.ts'

/**
 * The matching names. Returns the text of the field if it is not a pattern, if `noglob` is set, or if nothing matches
 * and neither `failglob` (throws) nor `nullglob` (returns none) is set.
 */
export async function fileNames(shell: Shell, field: Field): Promise<readonly string[]> {
  const text = field.map((part) => part.text).join('')
  const { options } = shell
  const extended = options.isOn('extglob')
  if (options.isOn('noglob') || !field.some((part) => !part.quoted && hasPattern(part.text, extended)))
    return [text]
  const pattern = field.map((part) => (part.quoted ? quotePattern(part.text) : part.text)).join('')
  const names = (await new Walk(shell, extended).names(pattern)).filter(notIgnored(shell, extended))
  if (names.length > 0) return names
  if (options.isOn('failglob')) throw new CommandError(`no match: ${text}`)
  return options.isOn('nullglob') ? [] : [text]
}

/** Returns a test for paths that no pattern in `GLOBIGNORE` matches. */
function notIgnored(shell: Shell, extended: boolean): (path: string) => boolean {
  const ignored = variableText(shell, 'GLOBIGNORE')
  if (!ignored) return () => true
  const patterns = ignored.split(':').map((text) => compilePattern(text, { extended, ignoreCase: false }))
  return (path) => !patterns.some((pattern) => pattern.test(path))
}

class Walk {
  readonly #shell: Shell
  readonly #files: CommandFiles
  readonly #extended: boolean

  constructor(shell: Shell, extended: boolean) {
    this.#shell = shell
    this.#files = shell.host.files(shell.cwd, shell.umask)
    this.#extended = extended
  }

  async names(pattern: string): Promise<string[]> {
    const start = /^\/+/.exec(pattern)?.[0] ?? ''
    const names = await this.#below(start, pattern.slice(start.length))
    return [...new Set(names)].sort(byCodePoints)
  }

  /**
   * `prefix` is the path expanded so far, with trailing slashes as in the pattern. It is empty at the start of a
   * relative pattern.
   */
  async #below(prefix: string, pattern: string): Promise<string[]> {
    const { component, slashes, rest } = split(pattern)
    if (component === '' && rest === '') return [prefix]
    if (component === '**' && this.#shell.options.isOn('globstar')) return this.#deep(prefix, slashes, rest)
    if (!hasPattern(component, this.#extended)) {
      const path = prefix + component.replaceAll(/\\(.)/gs, '$1')
      if (slashes === '') return (await this.#exists(path)) ? [path] : []
      return (await this.#isFolder(path)) ? this.#below(path + slashes, rest) : []
    }
    const { options } = this.#shell
    const compiled = compilePattern(component, {
      extended: this.#extended,
      ignoreCase: options.isOn('nocaseglob'),
    })
    const found: string[] = []
    for (const name of await this.#list(prefix)) {
      if (!this.#shows(name, component) || !this.#matches(compiled, name)) continue
      const path = prefix + name
      if (slashes === '') found.push(path)
      else if (await this.#isFolder(path)) found.push(...(await this.#below(path + slashes, rest)))
    }
    return found
  }

  /** `**`: the folder itself and everything below it, without following links. */
  async #deep(prefix: string, slashes: string, rest: string): Promise<string[]> {
    const found: string[] = []
    const visit = async (folder: string): Promise<void> => {
      if (slashes !== '')
        found.push(...(rest === '' ? (folder === '' ? [] : [folder]) : await this.#below(folder, rest)))
      else if (folder !== '' && folder !== prefix) found.push(folder.slice(0, -1))
      else if (folder !== '') found.push(folder)
      for (const name of await this.#list(folder)) {
        if (!this.#shows(name, '')) continue
        const path = folder + name
        const kind = (await this.#files.lstat(path))?.kind
        if (kind === 'directory') await visit(`${path}/`)
        else if (slashes === '') found.push(path)
      }
    }
    await visit(prefix)
    return found
  }

  #matches(pattern: GlobPattern, name: string): boolean {
    return pattern.test(name)
  }

  /**
   * Whether a pattern may match a name: names that begin with a dot need a pattern that begins with a dot, or
   * `dotglob`.
   */
  #shows(name: string, component: string): boolean {
    return (
      !name.startsWith('.') ||
      component.startsWith('.') ||
      component.startsWith(String.raw`\.`) ||
      this.#shell.options.isOn('dotglob') ||
      Boolean(variableText(this.#shell, 'GLOBIGNORE'))
    )
  }

  async #list(folder: string): Promise<readonly string[]> {
    try {
      const names = await this.#files.list(folder === '' ? '.' : folder)
      this.#shell.host.held(names.length)
      return names
    } catch (error) {
      if (error instanceof FileError) return []
      throw error
    }
  }

  async #exists(path: string): Promise<boolean> {
    return (await this.#statusOf(path)) !== null
  }

  async #isFolder(path: string): Promise<boolean> {
    return (await this.#statusOf(path)) === 'directory'
  }

  async #statusOf(path: string): Promise<string | null> {
    try {
      return (await this.#files.stat(path))?.kind ?? (await this.#files.lstat(path))?.kind ?? null
    } catch (error) {
      if (error instanceof FileError) return null
      throw error
    }
  }
}

function split(pattern: string): { component: string; slashes: string; rest: string } {
  const [, component = '', slashes = '', rest = ''] =
    /^((?:\\[^/]|[^/\\]|\\$)*)(\/*)(.*)$/s.exec(pattern) ?? []
  return { component, slashes, rest }
}
