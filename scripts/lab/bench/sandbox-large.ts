// Benchmark of commands on files of 20 and 100 MB, with the tool `bash` and with this machine's own commands in the
// same run. Both must print the same bytes.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { under, type FigureLine, type PartResult, type ReportProgress } from '../rig/lines.ts'
import { adminRequest, callTool, newThread } from '../rig/requests.ts'
import { withSatchel } from '../rig/worker.ts'

const ROUNDS = 3
const TIMES = 10
const SMALL = { name: 'small.csv', bytes: 20_000_000 }
const LARGE = { name: 'large.csv', bytes: 100_000_000 }
const FOLDER = '/mnt/user-data/workspace'

/** The commands by the names used in the table. Each prints its output to /tmp/out. */
const WORKS: Readonly<Record<string, string>> = {
  'wc -l of 20 MB': `wc -l ${SMALL.name}`,
  'sort of 20 MB': `sort ${SMALL.name} | tail -n 100000`,
  'grep -c of 20 MB': `grep -c 'er,4[0-9]*7' ${SMALL.name}`,
  'awk sum of 20 MB': `awk -F, '{sum+=$3}END{print sum}' ${SMALL.name}`,
  'head of 100 MB': `head -n 1000 ${LARGE.name}`,
  'tail of 100 MB': `tail -n 1000 ${LARGE.name}`,
  'wc of 100 MB': `wc ${LARGE.name}`,
}

const NAMES = 'amber birch cedar delta ember fern grove heather iris juniper river copper'.split(' ')

/** Generates unsorted lines of different lengths, such as `48211,river copper,4821`. */
function tableOf(bytes: number): Uint8Array<ArrayBuffer> {
  let state = bytes
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return (state >>> 8) % below
  }
  const table = Buffer.alloc(bytes, '\n')
  let text = ''
  for (let at = 0; at < bytes; text = '') {
    while (text.length < 65_536)
      text += `${next(1_000_000)},${NAMES[next(12)]} ${NAMES[next(12)]},${next(10_000)}\n`
    at += table.write(text, at)
  }
  table[bytes - 1] = 10
  return new Uint8Array(table.buffer, table.byteOffset, bytes)
}

interface Taken {
  readonly ms: number
  readonly digest: string
}

/** Wraps a command so that its duration is measured without the start of the shell. */
function script(work: string): string {
  return `LC_ALL=C.UTF-8; began=$EPOCHREALTIME; ${work} > /tmp/out-$PPID; ended=$EPOCHREALTIME; md5sum < /tmp/out-$PPID; rm /tmp/out-$PPID; echo $began $ended`
}

function takenOf(output: string): Taken {
  const [digest = '', began, ended] = output.replace('-', '').trim().split(/\s+/)
  const ms = (Number(ended) - Number(began)) * 1_000
  if (Number.isNaN(ms)) throw new Error(`no time was printed: ${output}`)
  return { ms, digest }
}

interface Compared {
  readonly what: string
  readonly oursMs: number
  readonly nativeMs: number
}

/** Measures the minimum of several alternating rounds. */
async function compare(url: string, thread: string, folder: string): Promise<readonly Compared[]> {
  const all: Compared[] = []
  for (const [what, work] of Object.entries(WORKS)) {
    let [oursMs, nativeMs] = [Infinity, Infinity]
    for (let round = 0; round < ROUNDS; round++) {
      const native = takenOf(execFileSync('bash', ['-c', script(work)], { cwd: folder, encoding: 'utf8' }))
      const [call] = await callTool(url, thread, 'bash', { command: script(work) })
      if (call?.is_error !== false) throw new Error(`${work}: ${call?.preview}`)
      const ours = takenOf(call.preview)
      if (ours.digest !== native.digest) throw new Error(`${work} printed something else than here`)
      oursMs = Math.min(oursMs, ours.ms)
      nativeMs = Math.min(nativeMs, native.ms)
    }
    all.push({ what, oursMs, nativeMs })
  }
  return all
}

function lineOf({ what, oursMs, nativeMs }: Compared): FigureLine {
  const factor = oursMs / nativeMs
  const figure = `${factor.toFixed(1)} × (${oursMs.toFixed(0)} ms)`
  return under(`shell, ${what}: against GNU`, figure, factor, TIMES, '×')
}

export async function measureLarge(tell: ReportProgress): Promise<PartResult> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-large-'))
  try {
    return await withSatchel(async ({ url }) => {
      await adminRequest(url, 'PATCH /admin/settings', { files: { max_file_bytes: LARGE.bytes } })
      const thread = await newThread(url)
      for (const { name, bytes } of [SMALL, LARGE]) {
        tell(`sandbox-large: sending ${bytes} bytes`)
        const table = tableOf(bytes)
        writeFileSync(join(folder, name), table)
        const path = `${FOLDER.slice('/mnt/user-data/'.length)}/${name}`
        await (await adminRequest(url, `PUT /v1/threads/${thread}/files/${path}`, table)).arrayBuffer()
      }
      tell('sandbox-large: commands')
      const figures = await compare(url, thread, folder)
      return { lines: figures.map(lineOf), figures }
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
