// Promise: code is parsed in the upload as in commands, and no skill is accepted while it cannot be parsed.

import * as javascript from '@lezer/javascript'
import type { LRParser } from '@lezer/lr'
import * as python from '@lezer/python'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

import { buildAssets } from '../../../scripts/assets/build.ts'
import { separateTables } from '../../../scripts/workerd/grammars.ts'
import { CHANGED_PACKAGES, writeStandIns } from '../../../scripts/workerd/stand-ins.ts'
import { loadGrammarTables, tablesOf } from '../../../src/skills/scan/code/common/grammar-tables.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

function answering(status: number, body: string): { fetch(address: string): Promise<Response> } {
  return { fetch: async () => new Response(body, { status }) }
}

function nodesOf(parser: LRParser, code: string): readonly string[] {
  const nodes: string[] = []
  parser.parse(code).iterate({
    enter: ({ name, from, to }) => {
      nodes.push(`${name} ${from} ${to}`)
    },
  })
  return nodes
}

test('no skill is checked without the tables, and the failure says what to do', async () => {
  for (const assets of [undefined, answering(404, '')])
    expect(await loadGrammarTables(assets)).toMatchObject({
      error: { code: 'not_configured', detail: expect.stringContaining('node scripts/assets.ts') },
    })
  for (const assets of [answering(500, ''), answering(200, '{"cut'), { fetch: async () => Promise.reject() }])
    expect(await loadGrammarTables(assets)).toMatchObject({ error: { code: 'overloaded', retryAfterS: 2 } })
  expect(() => tablesOf('@lezer/python 1')).toThrow('@lezer/python 1 are not loaded')
})

test('with the tables of the static file, the grammars of the upload parse as their packages do', async () => {
  writeStandIns(ROOT)
  await buildAssets(ROOT)
  const file = readFileSync(join(ROOT, 'dist/assets/runtimes/grammars.json'), 'utf8')
  expect(await loadGrammarTables(answering(200, file))).toEqual({ ok: true, value: null })
  expect(await loadGrammarTables(undefined)).toEqual({ ok: true, value: null })
  const source = 'async def f(x: int = 1) -> str:\n  return f"{x!r:>{10}}" if x else [y for y in "a\\n"]\n'
  const script = 'export const f = async <T,>(x?: T): Promise<T> => `${await eval(x ?? 1n)}` as /a[/]/ // 1\n'
  for (const [name, { parser }, text] of [
    ['@lezer/python', python, source],
    ['@lezer/javascript', javascript, script],
  ] as const) {
    const path = join(ROOT, CHANGED_PACKAGES[name] ?? '')
    // The cast is safe: it is the package's own code.
    const changed = (await import(/* @vite-ignore */ path)) as { readonly parser: LRParser }
    for (const code of [text, '}}} def ( <'])
      expect(nodesOf(changed.parser, code)).toEqual(nodesOf(parser, code))
  }
})

test('another build of a grammar is refused with what to do', () => {
  expect(() => separateTables('@lezer/python', 'export const parser = 1')).toThrow(
    /does not fit the installed version of @lezer\/python/,
  )
})
