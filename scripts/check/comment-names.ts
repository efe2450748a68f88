// Checks that comments use the current names of parameters: a name that a comment describes must occur in the file's code.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { parseSync } from 'oxc-parser'

/** A name that begins a sentence, such as `limit` in "Lists the rows. `limit`: at most this many." */
const DESCRIBED = /(?:^|[.;]\s+)`([a-z][A-Za-z\d]*)`(?=:| (?!and |or )[a-z])/g
/** A name after a verb or preposition that begins a sentence, such as `work` in "Awaits `work`." */
const REFERENCE = /(?:^|[.;]\s+)(?:Like|Calls|Awaits) `([a-z][A-Za-z\d]*)`/g
/** The code after a comment that documents a function: up to its parameters. */
const FUNCTION_HEAD =
  /^\s*(?:(?:export|default|declare|async|function|static|readonly|override|private|protected|const)\s+)*\*?[#\w$]+\??\s*(?:<[^()]*>)?\s*(?:\(|(?::[^=\n]*)?=\s*(?:async\s*)?(?:<[^()]*>)?\()/

/** The text of a comment on one line, without its asterisks. */
function plainText(comment: string): string {
  return comment
    .replace(/^\*/, '')
    .replace(/\n\s*\*/g, '\n')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A message for each name in the comments of functions that does not occur in the code of the file. */
export function staleNames(path: string, text: string): readonly string[] {
  const { comments } = parseSync(path, text)
  let code = text
  for (const { start, end } of comments)
    code = code.slice(0, start) + code.slice(start, end).replace(/[^\n]/g, ' ') + code.slice(end)
  const codeNames = new Set(code.match(/[A-Za-z_$][\w$]*/g))
  return comments.flatMap(({ type, value, start, end }) => {
    if (type !== 'Block' || !FUNCTION_HEAD.test(code.slice(end, end + 500))) return []
    const comment = plainText(value)
    const names = [DESCRIBED, REFERENCE].flatMap((pattern) =>
      Array.from(comment.matchAll(pattern), ([, name = '']) => name),
    )
    const line = text.slice(0, start).split('\n').length
    return names
      .filter((name) => !codeNames.has(name))
      .map((name) => `${line}: \`${name}\` does not occur in the code: use the parameter's current name`)
  })
}

/** A message for each stale name in the comments of the files tracked by git. */
export function staleNamesIn(root: string): readonly string[] {
  return execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) =>
      staleNames(path, readFileSync(join(root, path), 'utf8')).map((found) => `${path}:${found}`),
    )
}
