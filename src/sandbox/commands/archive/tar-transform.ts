// The option `--transform` of `tar`: expressions of `sed` that change the names of members.

import { Failed, Unsupported } from '../command.ts'
import { delimitedAt } from '../sed/delimited.ts'
import { compileWanted } from '../sed/patterns.ts'
import { parseReplacement } from '../sed/replacement.ts'
import { substituted } from '../sed/substitute.ts'

/** Parses expressions such as `s/OLD/NEW/g;s,a,b,`. Throws a `Failed` or an `Unsupported`. */
export function transformOf(text: string): (name: string) => string {
  const steps: ((name: string) => string)[] = []
  for (let at = 0; at < text.length;) {
    if (text[at] !== 's') throw new Unsupported(`tar --transform '${text}'`, `--transform 's,OLD,NEW,'`)
    const mark = text[at + 1] ?? ''
    const pattern = delimitedAt(text, at + 2, mark, 'pattern')
    const replacement = delimitedAt(text, pattern.end, mark, 'text')
    if (pattern.text === null || replacement.text === null)
      throw new Failed('Invalid transform expression', 2)
    const flags = /^[^;]*/.exec(text.slice(replacement.end))?.[0] ?? ''
    // Other flags select kinds of members; with a number, GNU tar repeats parts of a name.
    if (!/^[gix]*$/.test(flags))
      throw new Unsupported(`tar --transform with the flags ${flags}`, 'the flags g, i and x')
    at = replacement.end + flags.length + 1
    const rules = { extended: flags.includes('x'), nulls: false, bytesOnly: false }
    const compiled = compileWanted(pattern.text, flags.includes('i') ? 'I' : '', rules)
    if (!compiled) throw new Unsupported('tar --transform with an empty pattern', 'the pattern in full')
    const wanted = {
      pattern: compiled,
      replacement: parseReplacement(replacement.text),
      number: 1,
      global: flags.includes('g'),
      print: false,
      file: null,
    }
    steps.push((name) => substituted(name, compiled, wanted) ?? name)
  }
  return (name) => steps.reduce((changed, step) => step(changed), name)
}
