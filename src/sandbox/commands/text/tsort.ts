// `tsort`: sorts names topologically, so that the first name of each pair comes before the second.

import { Failed, type Command, type CommandIo, usage } from '../command.ts'
import { FileError } from '../io/files.ts'
import { bytesOfLatin1, latin1Of } from '../io/latin1.ts'
import { readAll } from '../io/reader.ts'
import { parseOptions } from '../options.ts'

interface Item {
  readonly name: string
  /** Number of items that must come before it and are not printed yet. */
  count: number
  isWritten: boolean
  /** The items that come after it; the last pair read is first. */
  successors: Item[]
  link: Item | null
}

export const tsort: Command = {
  async run(io) {
    const given = parseOptions('tsort', io.args, [])
    const [name = '-', extra] = given.operands
    if (extra !== undefined) throw usage('tsort', `extra operand ‘${extra}’`)
    const words = (await textOf(io, name)).split(/[ \t\n]+/).filter((word) => word !== '')
    if (words.length % 2 === 1) throw new Failed(`${name}: input contains an odd number of tokens`)
    const items = new Map<string, Item>()
    const itemOf = (word: string): Item => {
      let item = items.get(word)
      if (!item)
        items.set(word, (item = { name: word, count: 0, isWritten: false, successors: [], link: null }))
      return item
    }
    for (let at = 0; at < words.length; at += 2) {
      const [before, after] = [itemOf(words[at] ?? ''), itemOf(words[at + 1] ?? '')]
      if (before === after) continue
      after.count++
      before.successors.push(after)
    }
    const sorted = [...items.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
    for (const item of sorted) item.successors.reverse()
    let left = sorted.length
    let exitCode = 0
    while (left > 0) {
      const queue = sorted.filter((item) => item.count === 0 && !item.isWritten)
      for (let at = 0; at < queue.length; at++) {
        const item = queue[at]
        if (!item) break
        await io.stdout.write(bytesOfLatin1(`${item.name}\n`))
        item.isWritten = true
        left--
        for (const next of item.successors) if (--next.count === 0) queue.push(next)
      }
      if (left === 0) break
      exitCode = 1
      await io.stdout.flush()
      await io.stderr.write(`tsort: ${name}: input contains a loop:\n`)
      await breakLoop(io, sorted)
    }
    return exitCode
  },
}

async function textOf(io: CommandIo, name: string): Promise<string> {
  try {
    return latin1Of(name === '-' ? await readAll(io.stdin) : await io.files.read(name))
  } catch (error) {
    if (error instanceof FileError) throw new Failed(`${name}: ${error.message}`)
    throw error
  }
}

/** Finds a cycle, reports it, and removes the same pair as GNU's program. */
async function breakLoop(io: CommandIo, sorted: readonly Item[]): Promise<void> {
  let loop: Item | null = null
  do {
    for (const item of sorted) {
      if (item.count === 0) continue
      if (!loop) {
        loop = item
        continue
      }
      const at = item.successors.indexOf(loop)
      if (at === -1) continue
      if (!item.link) {
        item.link = loop
        loop = item
        continue
      }
      for (let one: Item | null = loop; one;) {
        const next: Item | null = one.link
        await io.stdout.flush()
        await io.stderr.write(bytesOfLatin1(`tsort: ${one.name}\n`))
        if (one === item) {
          loop = one
          break
        }
        one.link = null
        one = next
      }
      const [removed] = item.successors.splice(at, 1)
      if (removed) removed.count--
      for (const one of sorted) one.link = null
      return
    }
  } while (loop)
}
