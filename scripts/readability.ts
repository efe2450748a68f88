// `node scripts/readability.ts FOLDER`: measures how many of an article's words the page reader extracts. The folder
// contains pages with reference articles; it is not part of this repository.

import { existsSync } from 'node:fs'

import { pagesOf, readArticle, readerOf, type ReadResult } from './lab/readability/pages.ts'
import { figures } from './lab/rig/stats.ts'
import { command } from './lib/command.ts'

const USAGE = `node scripts/readability.ts FOLDER

  FOLDER   the test pages of mozilla/readability (FOLDER/*/source.html and expected.html), or
           the root of scrapinghub/article-extraction-benchmark (ground-truth.json and html/*.html.gz)`

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

command(USAGE, { allowPositionals: true }, async ({ positionals: [folder] }) => {
  if (folder === undefined || !existsSync(folder)) return 'Specify an existing folder of pages.'
  const reader = await readerOf()
  const reads: ReadResult[] = []
  for (const page of pagesOf(folder)) reads.push(await readArticle(reader, page))
  const mean = (of: (one: ReadResult) => number): string =>
    percent(reads.reduce((sum, one) => sum + of(one), 0) / reads.length)
  const worst = reads.toSorted((a, b) => a.recall - b.recall)
  const times = reads.map(({ ms }) => ms)
  const low = worst.filter(({ recall }) => recall < 0.7).length
  console.log(
    `${reads.length} pages: recall ${mean(({ recall }) => recall)} in the mean, ${low} under 70 %; precision ${mean(({ precision }) => precision)}; ${Math.round(figures(times).median)} ms in the median, ${Math.round(Math.max(...times))} ms at most`,
  )
  for (const { name, recall, precision, ms } of worst.slice(0, 10))
    console.log(`  ${percent(recall)} (precision ${percent(precision)}, ${Math.round(ms)} ms) ${name}`)
  return 0
})
