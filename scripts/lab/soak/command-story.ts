// A command that writes hundreds of files and megabytes, in shell, Python or JavaScript, and the resulting tree. Pure:
// the same key gives the same command and contents. Because it writes a log, running it twice gives a different tree
// than running it once.

import { newestRequest } from './requested-story.ts'

import type { Reply } from '../../../test/fakes/messages-wire.ts'

export const COMMAND_LANGUAGES = ['shell', 'python', 'node'] as const
export type CommandLanguage = (typeof COMMAND_LANGUAGES)[number]

const COMMAND_MESSAGE = /^COMMAND: in (shell|python|node): message (\S+)$/

/**
 * The number of files of each kind, and of lines per file. The first are stored in rows, the second in R2; the last
 * are temporary.
 */
const SMALL = { count: 250, lines: 120 } as const
const LARGE = { count: 10, lines: 30_000 } as const
const NAMED = { count: 40, lines: 1 } as const

/** A user message that makes its run write these files. */
export function commandMessage(language: CommandLanguage, key: string): string {
  return `COMMAND: in ${language}: message ${key}`
}

/** The files by path below the root of the thread's files, after the commands with these keys in this order. */
export function treeAfter(keys: readonly string[]): ReadonlyMap<string, string> {
  const key = keys.at(-1)
  if (key === undefined) return new Map()
  const all = (
    folder: string,
    { count, lines }: { readonly count: number; readonly lines: number },
    prefix = '',
  ): readonly (readonly [string, string])[] =>
    Array.from({ length: count }, (_, at) => [`${folder}/${prefix}${at}.txt`, `${key} ${at}\n`.repeat(lines)])
  return new Map([
    ...all('workspace/box', SMALL),
    ...all('outputs/box', LARGE),
    ...all('outputs/named', NAMED, `${key}-`),
    ['workspace/log.txt', keys.map((one) => `${one}\n`).join('')],
  ])
}

const COMMANDS: Readonly<Record<CommandLanguage, (key: string) => string>> = {
  shell: (key) => `
fill() {
  for i in $(seq 0 $(($2 - 1))); do
    awk -v "text=${key} $i" -v "n=$3" 'BEGIN { for (at = 0; at < n; at++) print text }' > "$1$i.txt"
  done
}
rm -rf ../outputs/named
mkdir -p box ../outputs/box ../outputs/named
fill box/ ${SMALL.count} ${SMALL.lines}
fill ../outputs/box/ ${LARGE.count} ${LARGE.lines}
fill ../outputs/named/${key}- ${NAMED.count} ${NAMED.lines}
echo ${key} >> log.txt
echo wrote ${key}`,
  python: (key) => `python3 - <<'END'
import os, shutil

def fill(start, count, lines):
    os.makedirs(os.path.dirname(start), exist_ok=True)
    for i in range(count):
        with open(f'{start}{i}.txt', 'w') as file: file.write(f'${key} {i}\\n' * lines)

shutil.rmtree('../outputs/named', ignore_errors=True)
fill('box/', ${SMALL.count}, ${SMALL.lines})
fill('../outputs/box/', ${LARGE.count}, ${LARGE.lines})
fill('../outputs/named/${key}-', ${NAMED.count}, ${NAMED.lines})
with open('log.txt', 'a') as log: log.write('${key}\\n')
print('wrote ${key}')
END`,
  node: (key) => `cat > /tmp/fill.mjs <<'END'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

function fill(start, count, lines) {
  mkdirSync(dirname(start + 'x'), { recursive: true })
  for (let i = 0; i < count; i++) writeFileSync(start + i + '.txt', ('${key} ' + i + '\\n').repeat(lines))
}
rmSync('../outputs/named', { recursive: true, force: true })
fill('box/', ${SMALL.count}, ${SMALL.lines})
fill('../outputs/box/', ${LARGE.count}, ${LARGE.lines})
fill('../outputs/named/${key}-', ${NAMED.count}, ${NAMED.lines})
appendFileSync('log.txt', '${key}\\n')
console.log('wrote ${key}')
END
node /tmp/fill.mjs`,
}

/** Null if the newest message requests no command. */
export function commandReply(raw: string): Reply | null {
  const request = newestRequest(raw, COMMAND_MESSAGE)
  const [, language, key] = request?.match ?? []
  if (!request || key === undefined) return null
  const name = COMMAND_LANGUAGES.find((one) => one === language)
  if (name === undefined || request.round > 0 || !request.mayCall)
    return { content: [{ type: 'text', text: `All of ${key} is done.` }] }
  const use = {
    type: 'tool_use',
    id: `toolu_command_${request.turn}`,
    name: 'bash',
    input: { command: COMMANDS[name](key) },
  }
  return { content: [{ type: 'text', text: 'I write.' }, use], deltaChars: 600 }
}
