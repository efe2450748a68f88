// Checks that names and prose contain none of the words for which there is a standard term.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import { parseSync, Visitor } from 'oxc-parser'

/** Words that names must not contain, with what to write instead. */
const AVOIDED_PARTS: ReadonlyMap<string, string> = new Map([
  ['asked', 'request, question, requested'],
  ['birth', 'creation, admission'],
  ['book', 'checks'],
  ['born', 'created'],
  ['conceive', 'draft'],
  ['crowd', 'load'],
  ['door', 'api'],
  ['drive', 'executor'],
  ['heavy', 'expensive'],
  ['lane', 'semaphore, queue'],
  ['lid', 'limit'],
  ['mend', 'fix'],
  ['newborn', 'new thread'],
  ['outside', 'untrusted, ports'],
  ['patience', 'timeout'],
  ['place', 'slot, location, position'],
  ['retire', 'unpublish'],
  ['said', 'output, message, text'],
  ['stranger', 'unauthenticated'],
  ['told', 'reported'],
  ['touched', 'changed'],
  ['unasked', 'allowedCalls'],
  ['unborn', 'draft'],
  ['victim', 'fault target'],
  ['words', 'text, message, terms'],
])

interface PartException {
  readonly word: string
  readonly files: RegExp
  readonly meaning: string
}

/** Exceptions: words that have their ordinary meaning in these files. */
const PART_EXCEPTIONS: readonly PartException[] = [
  {
    word: 'words',
    files: /^src\/(?:sandbox\/shell|skills\/(?:scan|view))\//,
    meaning: 'words of a shell command (POSIX), of prose that is scanned',
  },
  {
    word: 'words',
    files: /^src\/skills\/|^src\/tools\/web\/sections/,
    meaning: 'words of a skill that the search indexes; stop words',
  },
  { word: 'words', files: /^src\/sandbox\/commands\//, meaning: 'words of a text, which `wc` counts' },
  { word: 'words', files: /^src\/workspace\/schema/, meaning: 'the full-text index of words' },
  {
    word: 'words',
    files: /^(?:test|scripts\/lab)\//,
    meaning: 'how many words a scripted answer has, and which',
  },
  { word: 'book', files: /^src\/page\/parts\/icon/, meaning: 'the name of an icon that shows a book' },
  {
    word: 'place',
    files: /^src\/skills\/scan\/prose\//,
    meaning: 'a sign that matches places where keys are kept',
  },
]

/** Phrases that texts must not contain, with what to write instead. */
const AVOIDED_PHRASES: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\btold\b/i, 'reports, says, receives'],
  [/\bunasked\b/i, 'without asking'],
  [/\bstrangers?\b/i, 'unauthenticated clients'],
  [/\bpatience\b/i, 'timeout'],
  [/\b(?:lanes?|lids?)\b/i, 'queue, semaphore, limit'],
  [/\b(?:newborn|unborn|births?)\b/i, 'new, draft, creation'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bretire[sd]?\b/i, 'unpublish'],
  [/\boutside text\b/i, 'untrusted content'],
  [/\bstands\b(?! (?:for|alone|out|up|by|still)\b)/i, 'is, appears'],
  [/\blies (?:in|on|under|below|beside|behind|outside|above|at|between)\b/i, 'is stored in, is'],
  [/\bgo(?:ne|es) on with\b/i, 'continues'],
]

/** Files whose patterns or samples contain the phrases, and files that record the past. */
const QUOTING_FILES =
  /^src\/skills\/scan\/prose\/(?:intent-terms|intents|open-intents|paragraphs|terms)\.ts$|^test\/|^docs\/decisions\/|^scripts\/check\/vocabulary\.ts$/

/** The lower-case words in a name of any style: `LINES_MAX`, `linesMax`, `lines-max`. */
function partsOfName(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
}

/** What to write instead of a word in this name; null if the name is fine. */
export function betterName(name: string, path: string): string | null {
  for (const part of partsOfName(name)) {
    const better = AVOIDED_PARTS.get(part) ?? AVOIDED_PARTS.get(part.replace(/s$/, ''))
    const isException = PART_EXCEPTIONS.some(({ word, files }) => word === part && files.test(path))
    if (better !== undefined && !isException) return better
  }
  return null
}

/** The names in a source text, each with the line of its first use. */
export function namesIn(path: string, text: string): ReadonlyMap<string, number> {
  const names = new Map<string, number>()
  const addName = ({ name, start }: { readonly name: string; readonly start: number }): void => {
    if (!names.has(name)) names.set(name, text.slice(0, start).split('\n').length)
  }
  new Visitor({ Identifier: addName, JSXIdentifier: addName, PrivateIdentifier: addName }).visit(
    parseSync(path, text).program,
  )
  return names
}

/** A message for each phrase in a text that it must not contain. */
export function phrasesIn(text: string): readonly string[] {
  return text.split('\n').flatMap((line, index) =>
    AVOIDED_PHRASES.flatMap(([phrase, instead]) => {
      const found = phrase.exec(line)
      return found ? [`${index + 1}: "${found[0]}": write ${instead}`] : []
    }),
  )
}

/** A message for each word or phrase that the files tracked by git must not contain. */
export function unwantedTerms(root: string): readonly string[] {
  const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
  return tracked
    .filter((path) => /\.(?:tsx?|md)$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      const fileName = betterName(basename(path), path)
      const quotes = QUOTING_FILES.test(path)
      const names = /\.tsx?$/.test(path) ? [...namesIn(path, text)] : []
      return [
        ...(fileName !== null && !quotes ? [`${path}: the file's name: write ${fileName}`] : []),
        ...names.flatMap(([name, line]) => {
          const better = betterName(name, path)
          return better === null ? [] : [`${path}:${line}: ${name}: write ${better}`]
        }),
        ...(quotes ? [] : phrasesIn(text).map((found) => `${path}:${found}`)),
      ]
    })
}
